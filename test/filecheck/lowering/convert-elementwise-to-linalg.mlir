// Arithmetic on whole tensors gets a scalar body; scalars, constants and selects stay.
// RUN: cog-opt %s -p convert-elementwise-to-linalg | filecheck %s

// CHECK-LABEL: @sum
// CHECK: arith.constant dense
// CHECK: tensor.empty
// CHECK: linalg.generic
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: arith.mulf %x, %x : f64
func.func @sum(%a: tensor<2x2xf64>, %x: f64) -> (tensor<2x2xf64>, f64) {
  %b = arith.constant dense<1.0> : tensor<2x2xf64>
  %c = arith.addf %a, %b : tensor<2x2xf64>
  %y = arith.mulf %x, %x : f64
  func.return %c, %y : tensor<2x2xf64>, f64
}
