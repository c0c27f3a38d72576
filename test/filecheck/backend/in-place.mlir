// The trial loop of a model with a static schedule: what its nodes hand on stays in registers. Nothing is called, no temporary is left in
// memory, and the state is written once, where it lives.
// RUN: cog-translate %S/../../../examples/botvinick_stroop.mlir --emit=llvm-ir -O3 | filecheck %s

// CHECK-LABEL: i32 @run(
// CHECK-NOT:   alloca
// CHECK-NOT:   call {{.*}}@{{[a-k]|[m-z]}}
// CHECK:       ret i32
