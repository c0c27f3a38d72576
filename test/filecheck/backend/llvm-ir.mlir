// The llvm dialect as text of LLVM IR: block arguments are phi nodes, constants stand where they are used.
// RUN: cog-translate %s --from=llvm --emit=llvm-ir | filecheck %s
// RUN: cog-translate %s --from=llvm --emit=llvm-ir | opt -passes=verify -disable-output

// CHECK: @table = internal constant [2 x double] [double 0x3FF0000000000000, double 0x8000000000000000], align 8
llvm.mlir.global internal constant @table(dense<[1.0, -0.0]> : tensor<2xf64>) {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<2 x f64>

// CHECK: define internal double @power(double %x.1, i64 %n.2) {
llvm.func internal @power(%x: f64, %n: i64) -> f64 {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %start = llvm.mlir.constant(1.000000e+00 : f64) : f64
  // CHECK: br label %[[HEAD:[a-z0-9]+]]
  llvm.br ^head(%zero, %start : i64, f64)
  // CHECK: [[HEAD]]:
  // CHECK-NEXT: %i.3 = phi i64 [ 0, %b0 ], [ %next.7, %[[BODY:[a-z0-9]+]] ]
  // CHECK-NEXT: %p.4 = phi double [ 0x3FF0000000000000, %b0 ], [ %q.6, %[[BODY]] ]
^head(%i: i64, %p: f64):
  // CHECK-NEXT: %more.5 = icmp slt i64 %i.3, %n.2
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  // CHECK: %q.6 = fmul double %p.4, %x.1
  %q = llvm.fmul %p, %x : f64
  %next = llvm.add %i, %one : i64
  // CHECK: br label %[[HEAD]], !llvm.loop ![[LOOP:[0-9]+]]
  llvm.br ^head(%next, %q : i64, f64) {loop_annotation = #llvm.loop_annotation<unroll = <count = 2 : i32>>}
^end:
  llvm.return %p : f64
}

// Both edges of a branch go to one block: the second one gets a block of its own.
// CHECK: define double @pick(i1 %c.1, double %x.2)
llvm.func @pick(%c: i1, %x: f64) -> f64 {
  // CHECK: br i1 %c.1, label %b1, label %b0.1
  // CHECK: phi double [ %x.2, %b0 ], [ 0x4000000000000000, %b0.1 ]
  // CHECK: call double @llvm.sqrt.f64(double
  // CHECK: b0.1:
  // CHECK-NEXT: br label %b1
  %two = llvm.mlir.constant(2.000000e+00 : f64) : f64
  llvm.cond_br %c, ^join(%x : f64), ^join(%two : f64)
^join(%y: f64):
  %z = llvm.call_intrinsic "llvm.sqrt"(%y) : (f64) -> f64
  llvm.return %z : f64
}
// CHECK: declare double @llvm.sqrt.f64(double)
// CHECK: = !{!"llvm.loop.unroll.count", i32 2}
// CHECK-NEXT: ![[LOOP]] = distinct !{![[LOOP]],
