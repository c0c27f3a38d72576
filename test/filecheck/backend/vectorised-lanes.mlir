// LLVM has the lanes of a vector take the turns of several replicates: eight at a time where vectors are that wide, sixteen by two here.
// Draws, logarithm, sine and cosine are in the loop; it calls nothing.
// RUN: sed 's/mt19937/xoshiro256/g' %S/../../../examples/ddm_integrator.mlir | cog-translate --replicates --emit=llvm-ir -O3 | filecheck %s
// RUN: sed 's/mt19937/xoshiro256/g' %S/../../../examples/ddm_integrator.mlir | cog-translate --replicates --emit=llvm-ir -O3 --without fill-lanes | filecheck %s --check-prefix=ONE

// CHECK-LABEL: @replicates(
// CHECK:       sqrt.v[[WIDTH:[248]]]f64
// CHECK:       fcmp o{{[a-z]*}} <[[WIDTH]] x double>

// ONE-LABEL:   @replicates(
// ONE-NOT:     sqrt.v
