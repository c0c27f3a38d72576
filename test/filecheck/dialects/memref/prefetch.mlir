// memref.prefetch is read and printed as MLIR does, and mistakes in it are named.
// RUN: cog-opt %s | cog-opt | filecheck %s
// RUN: cog-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @ask
// CHECK-NEXT:    memref.prefetch %m[%i, %j], read, locality<3>, data : memref<400x8xf64>
// CHECK-NEXT:    memref.prefetch %m[%j, %i], write, locality<0>, instr : memref<400x8xf64>
// GENERIC:       "memref.prefetch"(%m, %i, %j) <{isWrite = false, localityHint = 3 : i32, isDataCache = true}> : (memref<400x8xf64>, index, index) -> ()
func.func @ask(%m: memref<400x8xf64>, %i: index, %j: index) {
  memref.prefetch %m[%i, %j], read, locality<3>, data : memref<400x8xf64>
  memref.prefetch %m[%j, %i], write, locality<0>, instr : memref<400x8xf64>
  func.return
}
