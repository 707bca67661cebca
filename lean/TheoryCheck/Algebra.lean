/-! Integer algebra behind the square-form claims. Core Lean only. -/
namespace TheoryCheck

theorem sq_nonneg (a : Int) : 0 ≤ a * a := by
  rcases Int.le_total 0 a with h | h
  · exact Int.mul_nonneg h h
  · have h1 : 0 ≤ -a := by omega
    have h2 : 0 ≤ (-a) * (-a) := Int.mul_nonneg h1 h1
    have h3 : (-a) * (-a) = a * a := by
      first | exact Int.neg_mul_neg a a | simp
    omega

theorem sub_mul_sub (a b c d : Int) :
    (a - b) * (c - d) = a * c - a * d - (b * c - b * d) := by
  rw [Int.sub_mul a b (c - d), Int.mul_sub a c d, Int.mul_sub b c d]

theorem add_mul_add (a b c d : Int) :
    (a + b) * (c + d) = a * c + a * d + (b * c + b * d) := by
  rw [Int.add_mul a b (c + d), Int.mul_add a c d, Int.mul_add b c d]

theorem sub_sq (x y : Int) : (x - y) * (x - y) = x * x - 2 * (x * y) + y * y := by
  have h := sub_mul_sub x y x y
  have c := Int.mul_comm y x
  omega

theorem add_sq (x y : Int) : (x + y) * (x + y) = x * x + 2 * (x * y) + y * y := by
  have h := add_mul_add x y x y
  have c := Int.mul_comm y x
  omega

theorem mul_swap (a b c d : Int) : (a * b) * (c * d) = (a * c) * (b * d) := by
  rw [Int.mul_assoc a b (c * d), Int.mul_left_comm b c d, ← Int.mul_assoc a c (b * d)]

/-- Young / AM-GM. -/
theorem two_mul_le (a b : Int) : 2 * (a * b) ≤ a * a + b * b := by
  have h := sq_nonneg (a - b)
  have e := sub_sq a b
  omega

/-- MoE budget curve, squared and cleared: (K+M)^2/(K R) is at least 4M/R. -/
theorem moe_budget_lower (K M : Int) : 4 * (K * M) ≤ (K + M) * (K + M) := by
  have h := two_mul_le K M
  have e := add_sq K M
  omega

/-- Equality of the budget bound forces K = M. -/
theorem moe_budget_gap (K M : Int) :
    (K + M) * (K + M) - 4 * (K * M) = (K - M) * (K - M) := by
  have e := add_sq K M
  have f := sub_sq K M
  omega

/-- Averaging two values contracts the second moment (gossip step). -/
theorem gossip_pair (a b : Int) : (a + b) * (a + b) ≤ 2 * (a * a + b * b) := by
  have h := two_mul_le a b
  have e := add_sq a b
  omega

/-- AdaGrad one-step: with r^2 = S_t and s^2 = S_(t-1). -/
theorem adagrad_step (r s : Int) : r * r - s * s ≤ 2 * (r * (r - s)) := by
  have h := sq_nonneg (r - s)
  have e := sub_sq r s
  have m := Int.mul_sub r r s
  omega

/-- The gap of the AdaGrad step is exactly a square. -/
theorem adagrad_step_gap (r s : Int) :
    2 * (r * (r - s)) - (r * r - s * s) = (r - s) * (r - s) := by
  have e := sub_sq r s
  have m := Int.mul_sub r r s
  omega

/-- tr(AB) = tr(BA) for 2x2 integer matrices. -/
theorem trace_comm (a b c d e f g k : Int) :
    (a * e + b * g) + (c * f + d * k) = (e * a + f * c) + (g * b + k * d) := by
  have h1 := Int.mul_comm a e
  have h2 := Int.mul_comm b g
  have h3 := Int.mul_comm c f
  have h4 := Int.mul_comm d k
  omega

/-- The bracket of two symmetric 2x2 matrices (Hessians of quadratics) is antisymmetric:
diagonal entries vanish. A = [[a,b],[b,d]], B = [[e,f],[f,k]]. -/
theorem bracket_diag (a b d e f k : Int) :
    (a * e + b * f) - (e * a + f * b) = 0 ∧ (b * f + d * k) - (f * b + k * d) = 0 := by
  have h1 := Int.mul_comm a e
  have h2 := Int.mul_comm b f
  have h3 := Int.mul_comm d k
  constructor
  · omega
  · omega

/-- ... and the two off-diagonal entries are opposite. -/
theorem bracket_offdiag (a b d e f k : Int) :
    (a * f + b * k) - (e * b + f * d) = -((b * e + d * f) - (f * a + k * b)) := by
  have h1 := Int.mul_comm a f
  have h2 := Int.mul_comm b k
  have h3 := Int.mul_comm b e
  have h4 := Int.mul_comm d f
  omega

/-- Core of one-step discretization: 2*local + 2*max over the net. -/
theorem one_step_core (xt xt' xu xu' x0 L M : Int)
    (h1 : xt - xu ≤ L) (h2 : xu' - xt' ≤ L) (h3 : xu - x0 ≤ M) (h4 : x0 - xu' ≤ M) :
    xt - xt' ≤ 2 * L + 2 * M := by
  omega

/-- Both coefficients 2 are attained. -/
theorem one_step_sharp : (2 : Int) - (-2) = 2 * 1 + 2 * 1 := by
  first | decide | omega

end TheoryCheck
