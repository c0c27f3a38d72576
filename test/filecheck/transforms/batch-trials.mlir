// A layer of 60 units in each trial becomes a product of matrices for 100 trials; a trial that reads what the one before has left stays alone.
// RUN: cog-opt %s --split-input-file -p batch-trials | filecheck %s

// CHECK-LABEL: func.func @trial
// CHECK-LABEL: func.func private @trials(%pf: tensor<3600xf64>, %pi: tensor<1xi64>, %in: tensor<100x60xf64>, %last: index {cog.last}, %sf: tensor<60xf64> {cog.updates = 0 : i64}, %si: tensor<1xi64> {cog.updates = 1 : i64})
// CHECK:         %[[W:.*]] = tensor.expand_shape %pf
// CHECK:         %[[ZEROS:.*]] = linalg.generic {{.*}} attrs =  {cog.by_trial}
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%in, %[[W]] : tensor<100x60xf64>, tensor<60x60xf64>) outs(%[[ZEROS]] : tensor<100x60xf64>)
// CHECK:         %[[LAST:.*]] = tensor.extract_slice %[[Y]][%last, 0] [1, 60] [1, 1] : tensor<100x60xf64> to tensor<60xf64>
// CHECK-NEXT:    %[[SF:.*]] = tensor.insert_slice %[[LAST]] into %sf[0] [60] [1]
// CHECK-NEXT:    func.return %[[SF]], %si, %[[Y]], %{{.*}} : tensor<60xf64>, tensor<1xi64>, tensor<100x60xf64>, i64
func.func @trial(%pf: tensor<3600xf64>, %pi: tensor<1xi64>, %in: tensor<60xf64>, %sf: tensor<60xf64> {cog.updates = 0 : i64}, %si: tensor<1xi64> {cog.updates = 1 : i64}) -> (tensor<60xf64>, tensor<1xi64>, tensor<60xf64>, i64) {
  %status = arith.constant 0 : i64
  %zeros = arith.constant dense<0.0> : tensor<60xf64>
  %w = tensor.expand_shape %pf [[0 : i64, 1 : i64]] output_shape [60, 60] : tensor<3600xf64> into tensor<60x60xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%in, %w : tensor<60xf64>, tensor<60x60xf64>) outs(%zeros : tensor<60xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  } -> tensor<60xf64>
  %left = tensor.insert_slice %y into %sf[0] [60] [1] : tensor<60xf64> into tensor<60xf64>
  func.return %left, %si, %y, %status : tensor<60xf64>, tensor<1xi64>, tensor<60xf64>, i64
}

// -----

// CHECK-LABEL: func.func @trial
// CHECK-SAME:    cog.one_by_one = "a trial reads what the trial before has left"
// CHECK-NOT:     @trials
func.func @trial(%pf: tensor<3600xf64>, %pi: tensor<1xi64>, %in: tensor<60xf64>, %sf: tensor<60xf64> {cog.updates = 0 : i64}, %si: tensor<1xi64> {cog.updates = 1 : i64}) -> (tensor<60xf64>, tensor<1xi64>, tensor<60xf64>, i64) {
  %status = arith.constant 0 : i64
  %w = tensor.expand_shape %pf [[0 : i64, 1 : i64]] output_shape [60, 60] : tensor<3600xf64> into tensor<60x60xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%in, %w : tensor<60xf64>, tensor<60x60xf64>) outs(%sf : tensor<60xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  } -> tensor<60xf64>
  func.return %y, %si, %y, %status : tensor<60xf64>, tensor<1xi64>, tensor<60xf64>, i64
}

// -----

// Draws and a counter run ahead, and what they decide on.

// CHECK-LABEL: func.func private @trial_ahead(%pf: tensor<3600xf64>, %pi: tensor<1xi64>, %in: tensor<60xf64>, %si: tensor<1xi64> {cog.updates = 0 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 1 : i64}) -> (tensor<1xi64>, !rng.state<xoshiro256>, tensor<60xf64>, i64)
// CHECK:         %[[COUNT:.*]] = tensor.extract %si
// CHECK:         %[[NEXT:.*]] = arith.addi %[[COUNT]]
// CHECK:         %[[NOISE:.*]], %[[R:.*]] = rng.normal %r
// CHECK:         %[[SI:.*]] = tensor.insert %[[NEXT]] into %si
// CHECK-NEXT:    func.return %[[SI]], %[[R]], %[[NOISE]], %[[NEXT]]
// CHECK-LABEL: func.func private @trials(%pf: tensor<3600xf64>, %pi: tensor<1xi64>, %in: tensor<100x60xf64>, %noise: tensor<100x60xf64>, %next: tensor<100xi64>, %last: index {cog.last}
// CHECK-NOT:     rng.normal
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%noise
// CHECK:         tensor.extract %next[%last]
func.func @trial(%pf: tensor<3600xf64>, %pi: tensor<1xi64>, %in: tensor<60xf64>, %sf: tensor<60xf64> {cog.updates = 0 : i64}, %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64}) -> (tensor<60xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<60xf64>, i64) {
  %status = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = arith.constant 0 : index
  %count = tensor.extract %si[%first] : tensor<1xi64>
  %next = arith.addi %count, %one : i64
  %noise, %r1 = rng.normal %r : !rng.state<xoshiro256> -> tensor<60xf64>
  %zeros = arith.constant dense<0.0> : tensor<60xf64>
  %w = tensor.expand_shape %pf [[0 : i64, 1 : i64]] output_shape [60, 60] : tensor<3600xf64> into tensor<60x60xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%noise, %w : tensor<60xf64>, tensor<60x60xf64>) outs(%zeros : tensor<60xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  } -> tensor<60xf64>
  %left = tensor.insert_slice %y into %sf[0] [60] [1] : tensor<60xf64> into tensor<60xf64>
  %counted = tensor.insert %next into %si[%first] : tensor<1xi64>
  func.return %left, %counted, %r1, %y, %status : tensor<60xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<60xf64>, i64
}
