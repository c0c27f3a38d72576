// The step of an optimizer for two matrices goes through each of them once: the mean of the derivatives is a part of it.
// RUN: cog-opt %s -p fuse-optimizer | filecheck %s

// CHECK-LABEL: func.func @optimize
// CHECK-NOT:     tensor.insert_slice %{{.*}} into %joined
// CHECK:         %[[W:.*]] = tensor.extract_slice %pf[3] [4] [1]
// CHECK:         %[[S:.*]] = tensor.extract_slice %sum[0] [4] [1]
// CHECK:         %[[PART:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]], %trials : tensor<4xf64>, tensor<4xf64>, f64)
// CHECK:           %[[MEAN:.*]] = arith.divf
// CHECK-NEXT:      %[[STEP:.*]] = arith.mulf %[[MEAN]], %rate
// CHECK-NEXT:      arith.subf %{{.*}}, %[[STEP]]
// CHECK:         tensor.insert_slice %[[PART]] into %pf[3] [4] [1]
// CHECK:         tensor.extract_slice %sum[4] [2] [1]
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         func.return
// CHECK-NOT:   @descent
func.func @optimize(%pf: tensor<9xf64> {cog.updates = 0 : i64}, %sum: tensor<6xf64>, %trials: f64, %rate: f64) -> tensor<9xf64> {
  %joined = tensor.empty() : tensor<6xf64>
  %mean = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%sum, %trials : tensor<6xf64>, f64) outs(%joined : tensor<6xf64>) {
  ^bb0(%x: f64, %n: f64, %o: f64):
    %q = arith.divf %x, %n : f64
    linalg.yield %q : f64
  } -> tensor<6xf64>
  %w0 = tensor.extract_slice %pf[3] [4] [1] : tensor<9xf64> to tensor<4xf64>
  %j0 = tensor.insert_slice %w0 into %joined[0] [4] [1] : tensor<4xf64> into tensor<6xf64>
  %w1 = tensor.extract_slice %pf[7] [2] [1] : tensor<9xf64> to tensor<2xf64>
  %j1 = tensor.insert_slice %w1 into %j0[4] [2] [1] : tensor<2xf64> into tensor<6xf64>
  %after = func.call @descent(%j1, %mean, %rate) : (tensor<6xf64>, tensor<6xf64>, f64) -> tensor<6xf64>
  %a0 = tensor.extract_slice %after[0] [4] [1] : tensor<6xf64> to tensor<4xf64>
  %pf0 = tensor.insert_slice %a0 into %pf[3] [4] [1] : tensor<4xf64> into tensor<9xf64>
  %a1 = tensor.extract_slice %after[4] [2] [1] : tensor<6xf64> to tensor<2xf64>
  %pf1 = tensor.insert_slice %a1 into %pf0[7] [2] [1] : tensor<2xf64> into tensor<9xf64>
  func.return %pf1 : tensor<9xf64>
}

func.func private @descent(%weights: tensor<6xf64>, %slopes: tensor<6xf64>, %rate: f64) -> tensor<6xf64> {
  %empty = tensor.empty() : tensor<6xf64>
  %after = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%weights, %slopes : tensor<6xf64>, tensor<6xf64>) outs(%empty : tensor<6xf64>) {
  ^bb0(%w: f64, %g: f64, %o: f64):
    %step = arith.mulf %g, %rate : f64
    %new = arith.subf %w, %step : f64
    linalg.yield %new : f64
  } -> tensor<6xf64>
  func.return %after : tensor<6xf64>
}
