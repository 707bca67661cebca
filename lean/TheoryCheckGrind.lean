import TheoryCheck
namespace TheoryCheck

/-- Two gradient steps in the two orders differ by [A,B] x (first coordinate). -/
theorem splitting_bracket (a b d e f k x y : Int) :
    ((x - (e*x + f*y)) - (a*(x - (e*x + f*y)) + b*(y - (f*x + k*y))))
      - ((x - (a*x + b*y)) - (e*(x - (a*x + b*y)) + f*(y - (b*x + d*y))))
      = ((a*e + b*f) - (e*a + f*b)) * x + ((a*f + b*k) - (e*b + f*d)) * y := by
  grind

/-- Weighted Jensen for the square, two atoms. -/
theorem jensen_two (u v x y : Int) (hu : 0 ≤ u) (hv : 0 ≤ v) :
    (u*x + v*y) * (u*x + v*y) ≤ (u + v) * (u*(x*x) + v*(y*y)) := by
  have h : 0 ≤ (u*v) * ((x - y) * (x - y)) :=
    Int.mul_nonneg (Int.mul_nonneg hu hv) (sq_nonneg (x - y))
  have e0 := add_sq (u*x) (v*y)
  have e1 := add_mul_add u v (u*(x*x)) (v*(y*y))
  have a1 := mul_swap u x u x
  have a2 := mul_swap v y v y
  have a3 := mul_swap u x v y
  have b1 := Int.mul_assoc u u (x*x)
  have b2 := Int.mul_assoc v v (y*y)
  have b3 := Int.mul_assoc u v (y*y)
  have b4 := Int.mul_assoc v u (x*x)
  have b5 : (v*u)*(x*x) = (u*v)*(x*x) := by rw [Int.mul_comm v u]
  have s := sub_sq x y
  have d : (u*v)*((x - y) * (x - y))
      = (u*v)*(x*x) - 2*((u*v)*(x*y)) + (u*v)*(y*y) := by
    rw [s, Int.mul_add (u*v) (x*x - 2*(x*y)) (y*y), Int.mul_sub (u*v) (x*x) (2*(x*y)),
      Int.mul_left_comm (u*v) 2 (x*y)]
  first | omega | grind

/-- Rational Young inequality. -/
theorem rat_two_mul_le (a b : Rat) (h : 0 ≤ (a - b) * (a - b)) : 2 * (a * b) ≤ a * a + b * b := by
  grind

/-- Kernel-checked golden vectors (same values as golden.json). -/
theorem golden_neff : neff [1/2, 1/3, 1/6] = 18/7 := by decide +kernel
theorem golden_moe : moeBudgetSq 1 8 64 = 81/64 := by decide +kernel
theorem golden_irwinHall : irwinHall 4 (5/3) = 187/648 := by decide +kernel
theorem golden_var2 : var2 (1/2) (2/3) 0 1 1 1 = 5/36 := by decide +kernel

end TheoryCheck
