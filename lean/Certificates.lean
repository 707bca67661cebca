import Certificates.Adagrad
import Certificates.Emp
import Certificates.Erm
import Certificates.LieBracket
import Certificates.Moe
import Certificates.Slt
import Certificates.Ste
