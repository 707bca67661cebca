import TheoryCheck.Algebra
/-! Finite probability with integer weights (common denominator cleared). -/
namespace TheoryCheck

def wsum : List (Int × Int) → Int
  | [] => 0
  | p :: ps => p.1 * p.2 + wsum ps

def wtail (t : Int) : List (Int × Int) → Int
  | [] => 0
  | p :: ps => (if t ≤ p.2 then p.1 else 0) + wtail t ps

def nnPairs : List (Int × Int) → Prop
  | [] => True
  | p :: ps => 0 ≤ p.1 ∧ 0 ≤ p.2 ∧ nnPairs ps

def nnWeights : List (Int × Int) → Prop
  | [] => True
  | p :: ps => 0 ≤ p.1 ∧ nnWeights ps

def sqPairs : List (Int × Int) → List (Int × Int)
  | [] => []
  | p :: ps => (p.1, p.2 * p.2) :: sqPairs ps

/-- Markov: t * mass{x ≥ t} ≤ sum w x. -/
theorem markov (t : Int) : ∀ ps : List (Int × Int), nnPairs ps → t * wtail t ps ≤ wsum ps
  | [], _ => by
    show t * 0 ≤ (0 : Int)
    omega
  | p :: ps, h => by
    have h' : 0 ≤ p.1 ∧ 0 ≤ p.2 ∧ nnPairs ps := h
    have ih := markov t ps h'.2.2
    show t * ((if t ≤ p.2 then p.1 else 0) + wtail t ps) ≤ p.1 * p.2 + wsum ps
    by_cases hc : t ≤ p.2
    · rw [if_pos hc]
      have e := Int.mul_add t p.1 (wtail t ps)
      have m := Int.mul_le_mul_of_nonneg_left hc h'.1
      have c := Int.mul_comm p.1 t
      omega
    · rw [if_neg hc]
      have e := Int.mul_add t 0 (wtail t ps)
      have z := Int.mul_zero t
      have m := Int.mul_nonneg h'.1 h'.2.1
      omega

theorem nn_sqPairs : ∀ ps : List (Int × Int), nnWeights ps → nnPairs (sqPairs ps)
  | [], _ => by
    show True
    exact True.intro
  | p :: ps, h => by
    have h' : 0 ≤ p.1 ∧ nnWeights ps := h
    show 0 ≤ p.1 ∧ 0 ≤ p.2 * p.2 ∧ nnPairs (sqPairs ps)
    exact ⟨h'.1, sq_nonneg p.2, nn_sqPairs ps h'.2⟩

/-- Chebyshev in square form (t stands for the squared threshold). -/
theorem chebyshev (t : Int) (ps : List (Int × Int)) (h : nnWeights ps) :
    t * wtail t (sqPairs ps) ≤ wsum (sqPairs ps) :=
  markov t (sqPairs ps) (nn_sqPairs ps h)

def ind : Bool → Int → Int
  | true, w => w
  | false, _ => 0

theorem ind_or : ∀ (a b : Bool) (w : Int), 0 ≤ w → ind (a || b) w ≤ ind a w + ind b w
  | true, true, w, h => by
    have h' : 0 ≤ w := h
    show w ≤ w + w
    omega
  | true, false, w, _ => by
    show w ≤ w + 0
    omega
  | false, true, w, _ => by
    show w ≤ 0 + w
    omega
  | false, false, _, _ => by
    show (0 : Int) ≤ 0 + 0
    first | decide | omega

def massOr : List (Int × Bool × Bool) → Int
  | [] => 0
  | p :: ps => ind (p.2.1 || p.2.2) p.1 + massOr ps

def massL : List (Int × Bool × Bool) → Int
  | [] => 0
  | p :: ps => ind p.2.1 p.1 + massL ps

def massR : List (Int × Bool × Bool) → Int
  | [] => 0
  | p :: ps => ind p.2.2 p.1 + massR ps

def wOk : List (Int × Bool × Bool) → Prop
  | [] => True
  | p :: ps => 0 ≤ p.1 ∧ wOk ps

theorem union_bound : ∀ ps : List (Int × Bool × Bool), wOk ps → massOr ps ≤ massL ps + massR ps
  | [], _ => by
    show (0 : Int) ≤ 0 + 0
    first | decide | omega
  | p :: ps, h => by
    have h' : 0 ≤ p.1 ∧ wOk ps := h
    have ih := union_bound ps h'.2
    have i := ind_or p.2.1 p.2.2 p.1 h'.1
    show ind (p.2.1 || p.2.2) p.1 + massOr ps
      ≤ (ind p.2.1 p.1 + massL ps) + (ind p.2.2 p.1 + massR ps)
    omega

/-- Efron-Stein for any function (a,b,c,d) = f(00),f(01),f(10),f(11) of two fair bits,
multiplied by 16: Var f ≤ sum of expected conditional variances. -/
theorem efronStein_two_bits (a b c d : Int) :
    4 * (a * a + b * b + c * c + d * d) - (a + b + c + d) * (a + b + c + d)
      ≤ 2 * ((a - b) * (a - b) + (c - d) * (c - d) + (a - c) * (a - c) + (b - d) * (b - d)) := by
  have e1 := add_sq (a + b + c) d
  have e2 := add_sq (a + b) c
  have e3 := add_sq a b
  have f1 := Int.add_mul (a + b) c d
  have f2 := Int.add_mul a b d
  have f3 := Int.add_mul a b c
  have s1 := sub_sq a b
  have s2 := sub_sq c d
  have s3 := sub_sq a c
  have s4 := sub_sq b d
  have k := sq_nonneg (a - b - (c - d))
  have k1 := sub_sq (a - b) (c - d)
  have k2 := sub_mul_sub a b c d
  omega

/-- Additive functions attain equality (f = x + 2y gives 20 = 20). -/
theorem efronStein_sharp :
    4 * ((0 : Int) * 0 + 1 * 1 + 2 * 2 + 3 * 3) - (0 + 1 + 2 + 3) * (0 + 1 + 2 + 3)
      = 2 * ((0 - 1) * (0 - 1) + (2 - 3) * (2 - 3) + (0 - 2) * (0 - 2) + (1 - 3) * (1 - 3)) := by
  first | decide | omega

/-- Two-point Poincare / LSI building block: 2(a^2+b^2) - (a+b)^2 = (a-b)^2. -/
theorem two_point_variance (a b : Int) :
    2 * (a * a + b * b) - (a + b) * (a + b) = (a - b) * (a - b) := by
  have e := add_sq a b
  have f := sub_sq a b
  omega

end TheoryCheck
