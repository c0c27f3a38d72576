// The native entry runs trials, and residual loops ask for the stop flag.
// RUN: cog-opt %s -p bufferize,add-entry | filecheck %s

// CHECK: func.func private @settle({{.*}}%control: memref<16xi64>)
// CHECK: scf.while ({{.*}}, %iteration = %{{.*}})
// CHECK: scf.if
// CHECK-NEXT: func.call @cogir_stop_requested(%control)
// CHECK: func.func private @trial(
// CHECK: func.call @settle({{.*}}%control)
// CHECK: func.func @run(%pf: memref<1xf64> {llvm.noalias}, %pi: memref<1xi64> {llvm.noalias}, %sf: memref<2xf64> {llvm.noalias}, %si: memref<1xi64> {llvm.noalias}, %rng: memref<13xi64> {llvm.noalias}, %in: memref<?x3xf64> {llvm.noalias}, %n_in: i64, %out: memref<?x1xf64> {llvm.noalias}, %first: i64, %count: i64, %control: memref<16xi64> {llvm.noalias}) -> i32
// CHECK: memref.subview %rng[0] [13] [1]
// CHECK: func.call @trial
// CHECK-NOT: rng.stream
func.func private @settle(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %r = scf.while (%v = %x) : (f64) -> f64 {
    %more = arith.cmpf ogt, %v, %one : f64
    scf.condition(%more) %v : f64
  } do {
  ^bb0(%w: f64):
    %h = arith.mulf %w, %half : f64
    scf.yield %h : f64
  }
  func.return %r : f64
}
func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<3xf64>, %sf: tensor<2xf64> {cog.updates = 0 : i64},
                 %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<philox4x64>)
    -> (tensor<2xf64>, tensor<1xi64>, !rng.state<philox4x64>, tensor<1xf64>, i64) {
  %c0 = arith.constant 0 : index
  %status = arith.constant 0 : i64
  %x = tensor.extract %in[%c0] : tensor<3xf64>
  %y = func.call @settle(%x) : (f64) -> f64
  %sf1 = tensor.insert %y into %sf[%c0] : tensor<2xf64>
  %out = tensor.from_elements %y : tensor<1xf64>
  func.return %sf1, %si, %r, %out, %status : tensor<2xf64>, tensor<1xi64>, !rng.state<philox4x64>, tensor<1xf64>, i64
}
rng.stream @noise philox4x64 seed 1
