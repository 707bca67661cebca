/-! Greedy maximal packing is a net (finite index sets, closeness as a Boolean relation). -/
namespace TheoryCheck

def cov (close : Nat → Nat → Bool) : List Nat → Nat → Bool
  | [], _ => false
  | u :: us, x => close u x || cov close us x

def greedy (close : Nat → Nat → Bool) : List Nat → List Nat → List Nat
  | [], acc => acc
  | x :: xs, acc =>
    if cov close acc x = true then greedy close xs acc else greedy close xs (x :: acc)

def allCov (close : Nat → Nat → Bool) (net : List Nat) : List Nat → Prop
  | [] => True
  | x :: xs => cov close net x = true ∧ allCov close net xs

theorem cov_cons (close : Nat → Nat → Bool) (u x : Nat) (us : List Nat)
    (h : cov close us x = true) : cov close (u :: us) x = true := by
  show (close u x || cov close us x) = true
  rw [h, Bool.or_true]

theorem cov_self (close : Nat → Nat → Bool) (hr : ∀ x, close x x = true) (x : Nat)
    (us : List Nat) : cov close (x :: us) x = true := by
  show (close x x || cov close us x) = true
  rw [hr x, Bool.true_or]

theorem greedy_keeps (close : Nat → Nat → Bool) (x : Nat) : ∀ xs acc : List Nat,
    cov close acc x = true → cov close (greedy close xs acc) x = true
  | [], _, h => h
  | y :: ys, acc, h => by
    show cov close (if cov close acc y = true then greedy close ys acc
      else greedy close ys (y :: acc)) x = true
    by_cases hy : cov close acc y = true
    · rw [if_pos hy]
      exact greedy_keeps close x ys acc h
    · rw [if_neg hy]
      exact greedy_keeps close x ys (y :: acc) (cov_cons close y x acc h)

/-- Every input point is covered by the greedy output. -/
theorem greedy_net (close : Nat → Nat → Bool) (hr : ∀ x, close x x = true) :
    ∀ xs acc : List Nat, allCov close (greedy close xs acc) xs
  | [], acc => by
    show True
    exact True.intro
  | x :: xs, acc => by
    show cov close (if cov close acc x = true then greedy close xs acc
        else greedy close xs (x :: acc)) x = true ∧
      allCov close (if cov close acc x = true then greedy close xs acc
        else greedy close xs (x :: acc)) xs
    by_cases hx : cov close acc x = true
    · rw [if_pos hx]
      exact ⟨greedy_keeps close x xs acc hx, greedy_net close hr xs acc⟩
    · rw [if_neg hx]
      exact ⟨greedy_keeps close x xs (x :: acc) (cov_self close hr x acc),
        greedy_net close hr xs (x :: acc)⟩

end TheoryCheck
