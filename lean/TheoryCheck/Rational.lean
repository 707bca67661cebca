/-! Computable rational definitions mirrored by the Rust code. -/
namespace TheoryCheck

def ratSum : List Rat → Rat
  | [] => 0
  | x :: xs => x + ratSum xs

def ratSumSq : List Rat → Rat
  | [] => 0
  | x :: xs => x * x + ratSumSq xs

/-- Effective number; 0/0 = 0 in Lean, so the empty or zero list gives 0. -/
def neff (xs : List Rat) : Rat := (ratSum xs * ratSum xs) / ratSumSq xs

def moeBudgetSq (K M R : Rat) : Rat := ((K + M) * (K + M)) / (K * R)

def ratPow (x : Rat) : Nat → Rat
  | 0 => 1
  | n + 1 => x * ratPow x n

def choose : Nat → Nat → Nat
  | _, 0 => 1
  | 0, _ + 1 => 0
  | n + 1, k + 1 => choose n k + choose n (k + 1)

def fact : Nat → Nat
  | 0 => 1
  | n + 1 => (n + 1) * fact n

def natRat (n : Nat) : Rat := mkRat (Int.ofNat n) 1

def pos (x : Rat) : Rat := if 0 ≤ x then x else 0

def sgn : Nat → Rat
  | 0 => 1
  | n + 1 => -(sgn n)

def ihSum (N : Nat) (x : Rat) : Nat → Rat
  | 0 => ratPow (pos x) N
  | k + 1 => sgn (k + 1) * natRat (choose N (k + 1)) * ratPow (pos (x - natRat (k + 1))) N
      + ihSum N x k

/-- P(U_1 + ... + U_N ≤ x) for uniforms on [0,1], N ≥ 1. -/
def irwinHall (N : Nat) (x : Rat) : Rat := ihSum N x N / natRat (fact N)

/-- Mean of f = (a,b,c,d) = f(00),f(01),f(10),f(11) on two independent bits,
P(first = 1) = p, P(second = 1) = q. -/
def mean2 (p q a b c d : Rat) : Rat :=
  (1 - p) * (1 - q) * a + (1 - p) * q * b + p * (1 - q) * c + p * q * d

/-- Variance of the same f. -/
def var2 (p q a b c d : Rat) : Rat :=
  mean2 p q (a * a) (b * b) (c * c) (d * d) - mean2 p q a b c d * mean2 p q a b c d

/-- Efron-Stein right side for the same f. -/
def es2 (p q a b c d : Rat) : Rat :=
  q * (1 - q) * ((1 - p) * (a - b) * (a - b) + p * (c - d) * (c - d))
    + p * (1 - p) * ((1 - q) * (a - c) * (a - c) + q * (b - d) * (b - d))

end TheoryCheck
