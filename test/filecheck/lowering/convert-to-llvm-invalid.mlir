// What has no counterpart in the llvm dialect is named, with the pass that was forgotten.
// RUN: cog-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK: convert-to-llvm: math.tanh is left; run expand-math before, which replaces it by a call
func.func @f(%x: f64) -> f64 {
  %y = math.tanh %x : f64
  func.return %y : f64
}

// -----

// CHECK: convert-to-llvm: scf.for is left; run convert-scf-to-cf before
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  func.return
}

// -----

// CHECK: convert-to-llvm: memref<?x?xf64>: only the leading dimension may be dynamic, because strides must be static
func.func @f(%m: memref<?x?xf64>, %i: index) -> f64 {
  %x = memref.load %m[%i, %i] : memref<?x?xf64>
  func.return %x : f64
}
