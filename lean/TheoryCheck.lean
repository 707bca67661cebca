import TheoryCheck.Algebra
import TheoryCheck.Sums
import TheoryCheck.Prob
import TheoryCheck.Net
import TheoryCheck.Rational
