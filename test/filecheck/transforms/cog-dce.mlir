// What nobody needs goes: pure calls, linalg operations, results and carried values of loops, private functions.
// RUN: cog-opt %s -p cog-dce --split-input-file | filecheck %s

// CHECK-NOT: @unused
func.func private @unused(%x: f64) -> f64 {
  func.return %x : f64
}
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  func.return %y : f64
}
// The call is dead, and then so is the function.
// CHECK-NOT: @square
// CHECK-LABEL: @dead
// CHECK-NEXT: func.return %x : f64
func.func @dead(%x: f64) -> f64 {
  %a = func.call @square(%x) : (f64) -> f64
  %e = tensor.empty() : tensor<2xf64>
  %t = linalg.fill ins(%a : f64) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  func.return %x : f64
}

// -----

// A loop keeps what its live results need (%b feeds %a) and drops the rest (%c).
// CHECK-LABEL: @carried
// CHECK: scf.for %{{.*}} iter_args(%a = %x, %b = %x) -> (f64, f64)
// CHECK: scf.yield %{{.*}}, %{{.*}} : f64, f64
func.func @carried(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (f64, f64, f64) {
    %a1 = arith.addf %a, %b : f64
    %b1 = arith.mulf %b, %x : f64
    %c1_ = arith.mulf %c, %a : f64
    scf.yield %a1, %b1, %c1_ : f64, f64, f64
  }
  func.return %r : f64
}

// -----

// A loop that might run for ever stays, without the values that only its results needed.
// CHECK-LABEL: @residual
// CHECK: scf.while (%a = %x) : (f64) -> f64
// CHECK-NOT: arith.mulf
// CHECK: func.return
func.func @residual(%x: f64) {
  %limit = arith.constant 10.0 : f64
  %r, %s = scf.while (%a = %x, %b = %x) : (f64, f64) -> (f64, f64) {
    %more = arith.cmpf olt, %a, %limit : f64
    %b1 = arith.mulf %b, %x : f64
    scf.condition(%more) %a, %b1 : f64, f64
  } do {
  ^bb0(%c: f64, %d: f64):
    %e = arith.addf %c, %x : f64
    scf.yield %e, %d : f64, f64
  }
  func.return
}

// -----

// One result of a branch is used; what writes to memory stays.
// CHECK-LABEL: @branch
// CHECK: scf.if %c -> (f64)
// CHECK: memref.store
// CHECK: scf.yield %x : f64
func.func @branch(%c: i1, %x: f64, %m: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %r, %s = scf.if %c -> (f64, f64) {
    memref.store %x, %m[%c0] : memref<1xf64>
    %y = arith.mulf %x, %x : f64
    scf.yield %x, %y : f64, f64
  } else {
    %z = arith.negf %x : f64
    scf.yield %z, %x : f64, f64
  }
  func.return %r : f64
}
