// Mistakes in memref.prefetch are named.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 2]]:3: error: memref.prefetch has 1 indices for memory with 2 axes
func.func @f(%m: memref<4x8xf64>, %i: index) {
  memref.prefetch %m[%i], read, locality<3>, data : memref<4x8xf64>
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: memref.prefetch has locality 4; it is 0 to 3
func.func @f(%m: memref<4xf64>, %i: index) {
  memref.prefetch %m[%i], read, locality<4>, data : memref<4xf64>
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:27: error: Expected 'write'
func.func @f(%m: memref<4xf64>, %i: index) {
  memref.prefetch %m[%i], reads, locality<3>, data : memref<4xf64>
  func.return
}
