import TheoryCheck.Algebra
/-! Sums over lists of integers: N_eff, mass split, AdaGrad telescoping. -/
namespace TheoryCheck

def sumI : List Int → Int
  | [] => 0
  | x :: xs => x + sumI xs

def sumSq : List Int → Int
  | [] => 0
  | x :: xs => x * x + sumSq xs

def lenI : List Int → Int
  | [] => 0
  | _ :: xs => 1 + lenI xs

def allNonneg : List Int → Prop
  | [] => True
  | x :: xs => 0 ≤ x ∧ allNonneg xs

def allBetween (M : Int) : List Int → Prop
  | [] => True
  | x :: xs => 0 ≤ x ∧ x ≤ M ∧ allBetween M xs

def allGe (t : Int) : List Int → Prop
  | [] => True
  | x :: xs => t ≤ x ∧ allGe t xs

def allLe (t : Int) : List Int → Prop
  | [] => True
  | x :: xs => x ≤ t ∧ allLe t xs

theorem lenI_nonneg : ∀ xs : List Int, 0 ≤ lenI xs
  | [] => by
    show (0 : Int) ≤ 0
    exact Int.le_refl 0
  | _ :: xs => by
    have ih := lenI_nonneg xs
    show 0 ≤ 1 + lenI xs
    omega

theorem sumI_nonneg : ∀ xs : List Int, allNonneg xs → 0 ≤ sumI xs
  | [], _ => by
    show (0 : Int) ≤ 0
    exact Int.le_refl 0
  | x :: xs, h => by
    have h' : 0 ≤ x ∧ allNonneg xs := h
    have h1 := h'.1
    have ih := sumI_nonneg xs h'.2
    show 0 ≤ x + sumI xs
    omega

theorem sumSq_nonneg : ∀ xs : List Int, 0 ≤ sumSq xs
  | [] => by
    show (0 : Int) ≤ 0
    exact Int.le_refl 0
  | x :: xs => by
    have ih := sumSq_nonneg xs
    have h := sq_nonneg x
    show 0 ≤ x * x + sumSq xs
    omega

theorem cross_le (x : Int) : ∀ xs : List Int, 2 * (x * sumI xs) ≤ lenI xs * (x * x) + sumSq xs
  | [] => by
    show 2 * (x * 0) ≤ 0 * (x * x) + 0
    omega
  | y :: ys => by
    have ih := cross_le x ys
    have h := two_mul_le x y
    have e1 := Int.mul_add x y (sumI ys)
    have e2 := Int.add_mul 1 (lenI ys) (x * x)
    have e3 := Int.one_mul (x * x)
    show 2 * (x * (y + sumI ys)) ≤ (1 + lenI ys) * (x * x) + (y * y + sumSq ys)
    omega

/-- Cauchy-Schwarz: N_eff ≤ N. -/
theorem neff_le_len : ∀ xs : List Int, sumI xs * sumI xs ≤ lenI xs * sumSq xs
  | [] => by
    show (0 : Int) * 0 ≤ 0 * 0
    first | decide | omega
  | y :: ys => by
    have ih := neff_le_len ys
    have hc := cross_le y ys
    have e1 := add_sq y (sumI ys)
    have e2 := add_mul_add 1 (lenI ys) (y * y) (sumSq ys)
    have e3 := Int.one_mul (y * y)
    have e4 := Int.one_mul (sumSq ys)
    show (y + sumI ys) * (y + sumI ys) ≤ (1 + lenI ys) * (y * y + sumSq ys)
    omega

/-- N_eff ≥ 1 for nonnegative scores. -/
theorem neff_ge_one : ∀ xs : List Int, allNonneg xs → sumSq xs ≤ sumI xs * sumI xs
  | [], _ => by
    show (0 : Int) ≤ 0 * 0
    first | decide | omega
  | y :: ys, h => by
    have h' : 0 ≤ y ∧ allNonneg ys := h
    have ih := neff_ge_one ys h'.2
    have s := sumI_nonneg ys h'.2
    have p := Int.mul_nonneg h'.1 s
    have e := add_sq y (sumI ys)
    show y * y + sumSq ys ≤ (y + sumI ys) * (y + sumI ys)
    omega

/-- N_eff ≥ (sum)/(max), cleared. -/
theorem sumSq_le_max_mul (M : Int) : ∀ xs : List Int, allBetween M xs → sumSq xs ≤ M * sumI xs
  | [], _ => by
    show (0 : Int) ≤ M * 0
    omega
  | x :: xs, h => by
    have h' : 0 ≤ x ∧ x ≤ M ∧ allBetween M xs := h
    have ih := sumSq_le_max_mul M xs h'.2.2
    have p := Int.mul_le_mul_of_nonneg_right h'.2.1 h'.1
    have e := Int.mul_add M x (sumI xs)
    show x * x + sumSq xs ≤ M * (x + sumI xs)
    omega

theorem len_mul_le_sum (t : Int) : ∀ xs : List Int, allGe t xs → lenI xs * t ≤ sumI xs
  | [], _ => by
    show 0 * t ≤ (0 : Int)
    omega
  | x :: xs, h => by
    have h' : t ≤ x ∧ allGe t xs := h
    have h1 := h'.1
    have ih := len_mul_le_sum t xs h'.2
    have e := Int.add_mul 1 (lenI xs) t
    have o := Int.one_mul t
    show (1 + lenI xs) * t ≤ x + sumI xs
    omega

theorem sum_le_len_mul (t : Int) : ∀ xs : List Int, allLe t xs → sumI xs ≤ lenI xs * t
  | [], _ => by
    show (0 : Int) ≤ 0 * t
    omega
  | x :: xs, h => by
    have h' : x ≤ t ∧ allLe t xs := h
    have h1 := h'.1
    have ih := sum_le_len_mul t xs h'.2
    have e := Int.add_mul 1 (lenI xs) t
    have o := Int.one_mul t
    show x + sumI xs ≤ (1 + lenI xs) * t
    omega

/-- Keeping the entries above a threshold keeps at least their share of the mass:
k * (mass dropped) ≤ (N-k) * (mass kept), hence kept/total ≥ k/N. -/
theorem mass_split (t : Int) (A B : List Int) (hA : allGe t A) (hB : allLe t B) :
    lenI A * sumI B ≤ lenI B * sumI A := by
  have a := len_mul_le_sum t A hA
  have b := sum_le_len_mul t B hB
  have m1 := Int.mul_le_mul_of_nonneg_left b (lenI_nonneg A)
  have m2 := Int.mul_le_mul_of_nonneg_left a (lenI_nonneg B)
  have c := Int.mul_left_comm (lenI A) (lenI B) t
  omega

theorem allBetween_nonneg (M : Int) : ∀ xs : List Int, allBetween M xs → allNonneg xs
  | [], _ => by
    show True
    exact True.intro
  | x :: xs, h => by
    have h' : 0 ≤ x ∧ x ≤ M ∧ allBetween M xs := h
    show 0 ≤ x ∧ allNonneg xs
    exact ⟨h'.1, allBetween_nonneg M xs h'.2.2⟩

/-- Tail energy: nu * sum of squares dropped ≤ (mass dropped) * (mass kept). -/
theorem tail_energy (t : Int) (A B : List Int) (hA : allGe t A) (hB : allBetween t B) :
    lenI A * sumSq B ≤ sumI B * sumI A := by
  have b := sumSq_le_max_mul t B hB
  have a := len_mul_le_sum t A hA
  have nb := sumI_nonneg B (allBetween_nonneg t B hB)
  have m1 := Int.mul_le_mul_of_nonneg_left b (lenI_nonneg A)
  have m2 := Int.mul_le_mul_of_nonneg_left a nb
  have c : lenI A * (t * sumI B) = sumI B * (lenI A * t) := by
    rw [← Int.mul_assoc (lenI A) t (sumI B), Int.mul_comm (lenI A * t) (sumI B)]
  omega

/-- Best-k-term bound: 4 nu * tail energy ≤ (total mass)^2. -/
theorem tail_energy_quarter (t : Int) (A B : List Int) (hA : allGe t A) (hB : allBetween t B) :
    4 * (lenI A * sumSq B) ≤ (sumI A + sumI B) * (sumI A + sumI B) := by
  have h := tail_energy t A B hA hB
  have g := moe_budget_lower (sumI A) (sumI B)
  have c := Int.mul_comm (sumI B) (sumI A)
  omega

/-- AdaGrad sum, entries (r, c) with c*r = D (so c = D/r): sum c*(r^2 - p^2). -/
def adaSum : Int → List (Int × Int) → Int
  | _, [] => 0
  | p, q :: qs => q.2 * (q.1 * q.1 - p * p) + adaSum q.1 qs

def adaLast : Int → List (Int × Int) → Int
  | p, [] => p
  | _, q :: qs => adaLast q.1 qs

def adaOk (D : Int) : List (Int × Int) → Prop
  | [] => True
  | q :: qs => 0 ≤ q.2 ∧ q.2 * q.1 = D ∧ adaOk D qs

/-- sum_t a_t / sqrt(S_t) ≤ 2 (sqrt(S_T) - sqrt(S_0)), cleared by D. -/
theorem adagrad_sum (D : Int) : ∀ (qs : List (Int × Int)) (p : Int), adaOk D qs →
    adaSum p qs ≤ 2 * (D * (adaLast p qs - p))
  | [], p, _ => by
    have h0 : D * (p - p) = 0 := by rw [Int.sub_self p, Int.mul_zero D]
    show (0 : Int) ≤ 2 * (D * (p - p))
    omega
  | q :: qs, p, h => by
    have h' : 0 ≤ q.2 ∧ q.2 * q.1 = D ∧ adaOk D qs := h
    have ih := adagrad_sum D qs q.1 h'.2.2
    have s := adagrad_step q.1 p
    have m := Int.mul_le_mul_of_nonneg_left s h'.1
    have e1 : q.2 * (2 * (q.1 * (q.1 - p))) = 2 * (D * (q.1 - p)) := by
      rw [Int.mul_left_comm q.2 2 (q.1 * (q.1 - p)), ← Int.mul_assoc q.2 q.1 (q.1 - p), h'.2.1]
    have a1 := Int.mul_sub D (adaLast q.1 qs) p
    have a2 := Int.mul_sub D (adaLast q.1 qs) q.1
    have a3 := Int.mul_sub D q.1 p
    show q.2 * (q.1 * q.1 - p * p) + adaSum q.1 qs ≤ 2 * (D * (adaLast q.1 qs - p))
    omega

end TheoryCheck
