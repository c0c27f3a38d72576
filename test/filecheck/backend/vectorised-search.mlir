// LLVM computes several points of a search in the lanes of a vector: no turn of the loop over a row waits for another one, and what
// depends on one level stands side by side in tables. Without either pass it computes them one by one.
// RUN: cog-translate %S/../../../examples/predator_prey_xl.mlir --emit=llvm-ir -O3 | filecheck %s
// RUN: cog-translate %S/../../../examples/predator_prey_xl.mlir --emit=llvm-ir -O3 --without reservoir-sampling | filecheck %s --check-prefix=ONE

// Whether one of the points of a row changes anything is asked of all lanes at once.
// CHECK: fcmp olt <{{[248]}} x double>
// CHECK: or <{{[248]}} x i1> %vec.phi

// ONE-NOT: x i1> %vec.phi
