import SLT.GaussianLSI.BernoulliLSI
import SLT.GaussianLipConcen
import SLT.CoveringNumber
import SLT.TDudley
open MeasureTheory
namespace TheoryCheck.Bridge

theorem slt_bernoulli_lsi (n : ℕ) (h : (Fin n → Bool) → ℝ) :
    LogSobolev.entropy (BernoulliLSI.bernoulliUniform n) (fun x => (h x) ^ 2) ≤
      (1 / 2) * ∫ x, BernoulliLSI.gradientNormSq n h x ∂(BernoulliLSI.bernoulliUniform n) :=
  BernoulliLSI.bernoulli_logSobolev n h

theorem slt_maximal_packing_net {A : Type*} [PseudoMetricSpace A]
    {t : Finset A} {r : ℝ} {s : Set A}
    (hr : 0 ≤ r) (hmax : ∀ a ∈ s, a ∉ t → ∃ x ∈ t, dist a x ≤ r) : IsENet t r s :=
  isENet_of_maximal hr hmax

theorem slt_one_step {A : Type*} [PseudoMetricSpace A] {X : A → ℝ} {T U : Set A} {r : ℝ}
    (hf : U.Finite) (hs : U ⊆ T) (hc : TDudley.IsSubsetENet T U r) (u : A) (hu : u ∈ U) :
    TDudley.globalOsc X T ≤ 2 * TDudley.localOsc X T r + 2 * (⨆ v ∈ U, |X v - X u|) :=
  TDudley.one_step_discretization_bound hf hs hc u hu

/-- our corollary: no deviation of size 3L has probability above 2 exp(-9/2) -/
theorem slt_concentration_at_three {n : ℕ} (hn : 0 < n)
    {f : EuclideanSpace ℝ (Fin n) → ℝ} {L : NNReal} (hL : 0 < L) (hf : LipschitzWith L f) :
    ((GaussianMeasure.stdGaussianE n) {x |
        3 * (L : ℝ) ≤ |f x - ∫ y, f y ∂(GaussianMeasure.stdGaussianE n)|}).toReal
      ≤ 2 * Real.exp (-(3 * (L : ℝ)) ^ 2 / (2 * (L : ℝ) ^ 2)) :=
  GaussianLipConcen.gaussian_lipschitz_concentration hn hL hf (3 * (L : ℝ))
    (mul_pos (by norm_num) (NNReal.coe_pos.mpr hL))

end TheoryCheck.Bridge
