// MLIR reads what is printed, and prints the same.
// REQUIRES: mlir-opt
// RUN: cog-opt %S/prefetch.mlir | mlir-opt | cog-opt | filecheck %s

// CHECK: memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}], read, locality<3>, data : memref<400x8xf64>
// CHECK: memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}], write, locality<0>, instr : memref<400x8xf64>
