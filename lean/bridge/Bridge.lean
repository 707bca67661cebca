import Bridge.Names
import Bridge.Statements
