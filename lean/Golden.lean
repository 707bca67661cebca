import TheoryCheck
open TheoryCheck

def ratStr (r : Rat) : String := toString r.num ++ "/" ++ toString r.den

def entry (id inp : String) (v : Rat) : String :=
  "{\"id\":\"" ++ id ++ "\",\"input\":\"" ++ inp ++ "\",\"value\":\"" ++ ratStr v ++ "\"}"

def entries : List String := [
  entry "emp/neff-basic" "1,1,1,1" (neff [1, 1, 1, 1]),
  entry "emp/neff-basic" "1/2,1/3,1/6" (neff [1/2, 1/3, 1/6]),
  entry "emp/neff-basic" "8,4,2,1" (neff [8, 4, 2, 1]),
  entry "moe/budget" "K=1,M=8,R=64" (moeBudgetSq 1 8 64),
  entry "moe/budget" "K=2,M=8,R=64" (moeBudgetSq 2 8 64),
  entry "moe/budget" "K=8,M=8,R=64" (moeBudgetSq 8 8 64),
  entry "slt/small-ball" "N=3,x=3/2" (irwinHall 3 (3/2)),
  entry "slt/small-ball" "N=6,x=1/2" (irwinHall 6 (1/2)),
  entry "slt/small-ball" "N=4,x=5/3" (irwinHall 4 (5/3)),
  entry "slt/efron-stein" "var p=1/2,q=2/3,f=max" (var2 (1/2) (2/3) 0 1 1 1),
  entry "slt/efron-stein" "rhs p=1/2,q=2/3,f=max" (es2 (1/2) (2/3) 0 1 1 1)]

def main : IO Unit :=
  IO.println ("[" ++ String.intercalate ",\n" entries ++ "]")
