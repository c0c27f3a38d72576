// xDSL's verifier accepts all of these; verify-ssa does not.
// RUN: cog-opt %s -p verify-ssa --split-input-file --verify-diagnostics | filecheck %s

// CHECK: verify-ssa: arith.addf in @f {{.*}}uses %b before it is defined
func.func @f(%x: f64) -> f64 {
  %a = arith.addf %b, %x : f64
  %b = arith.addf %x, %x : f64
  func.return %a : f64
}

// -----

// CHECK: verify-ssa: cf.cond_br in @g {{.*}}passes to its successor 1 (i1), but ^a takes (f64)
func.func @g(%c: i1, %x: f64) {
  cf.cond_br %c, ^a(%x : f64), ^a(%c : i1)
^a(%y: f64):
  func.return
}

// -----

// CHECK: verify-ssa: llvm.return in @h {{.*}}returns (f64), but @h is declared to return (i64)
llvm.func @h(%x: f64) -> i64 {
  llvm.return %x : f64
}
