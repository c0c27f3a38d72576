// From stage `loops` on a model is plain MLIR: mlir-opt reads it without knowing any dialect of ours, also the layout of its buffers, in
// which a generator is the name of its kind.
// REQUIRES: mlir-opt
// RUN: cog-opt %S/../../../examples/ddm_integrator.mlir --emit=loops | mlir-opt | filecheck %s --check-prefixes=CHECK,LOOPS
// RUN: cog-opt %S/../../../examples/ddm_integrator.mlir --emit=cf | mlir-opt | filecheck %s --check-prefixes=CHECK,CF
// RUN: cog-opt %S/../../../examples/ddm_integrator.mlir --emit=llvm | mlir-opt | filecheck %s --check-prefix=LLVM

// CHECK:     module attributes {{.*}}"DDM/random:random" = ["rng", 0, "mt19937"]
// CHECK-NOT: rng.
// LOOPS:     func.func @run(
// LOOPS:     scf.while
// CF:        func.func @run(
// CF:        cf.cond_br
// LLVM-NOT:  cog.
// LLVM:      llvm.func @run(
