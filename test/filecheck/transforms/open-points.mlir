// The root of the second place comes to light, and with it the part of an array operation that it is in; the sum depends on both axes.
// RUN: cog-opt %s -p open-points | filecheck %s
// RUN: cog-opt %s -p open-points,cog-licm,factor-grid,cog-dce | filecheck %s --check-prefix=FACTORED

// CHECK:         scf.for %i
// CHECK:           scf.for %j
// CHECK-NEXT:        %x = tensor.extract %places[%i] : tensor<8xf64>
// CHECK-NEXT:        %y = tensor.extract %places[%j] : tensor<8xf64>
// CHECK-NEXT:        %{{.*}} = tensor.empty() : tensor<2xf64>
// CHECK-NEXT:        %far = math.sqrt %y : f64
// CHECK-NEXT:        %{{.*}} = tensor.empty() : tensor<2xf64>
// CHECK-NEXT:        %share = linalg.generic {{.*}} ins(%values : tensor<2xf64>)
// CHECK:               arith.divf %{{.*}}, %far : f64
// CHECK:             %{{.*}} = linalg.generic {{.*}} ins(%values, %share : tensor<2xf64>, tensor<2xf64>)
// CHECK-NOT:           divf
// CHECK:               arith.mulf %{{.*}}, %x : f64
// CHECK-NOT:         func.call @away

// Then the root and the division are computed once per level of the second axis.
// FACTORED:      %{{.*}} = scf.for
// FACTORED:        math.sqrt
// FACTORED:        arith.divf
// FACTORED:      scf.for %i
// FACTORED-NOT:    math.sqrt
// FACTORED-NOT:    arith.divf
// FACTORED:      func.return
func.func @search(%places: tensor<8xf64>, %values: tensor<2xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 8 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %end step %one iter_args(%a = %none) -> (f64) {
    %s = scf.for %j = %zero to %end step %one iter_args(%b = %a) -> (f64) {
      %x = tensor.extract %places[%i] : tensor<8xf64>
      %y = tensor.extract %places[%j] : tensor<8xf64>
      %v = func.call @away(%x, %y, %values) : (f64, f64, tensor<2xf64>) -> tensor<2xf64>
      %w = tensor.extract %v[%one] : tensor<2xf64>
      %c = arith.addf %b, %w : f64
      scf.yield %c : f64
    }
    scf.yield %s : f64
  }
  func.return %r : f64
}

func.func private @away(%x: f64, %y: f64, %values: tensor<2xf64>) -> tensor<2xf64> {
  %e = tensor.empty() : tensor<2xf64>
  %far = math.sqrt %y : f64
  %v = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%values : tensor<2xf64>) outs(%e : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %share = arith.divf %in, %far : f64
    %p = arith.mulf %share, %x : f64
    %q = arith.addf %p, %in : f64
    linalg.yield %q : f64
  } -> tensor<2xf64>
  func.return %v : tensor<2xf64>
}
