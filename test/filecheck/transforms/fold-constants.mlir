// What depends on constants alone is computed; what is exact for every number goes; everything else stays.
// RUN: cog-opt %s -p fold-constants,cog-dce | filecheck %s

// CHECK-LABEL: @computed
// CHECK-DAG: %[[ROOT:.*]] = arith.constant 1.000000e-01 : f64
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 2.000000e+00 : f64
// CHECK: func.return %[[ROOT]], %[[SECOND]]
func.func @computed() -> (f64, f64) {
  %step = arith.constant 0.01 : f64
  %root = math.sqrt %step : f64
  %pair = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  %flat = tensor.collapse_shape %pair [[0 : i64, 1 : i64]] : tensor<1x2xf64> into tensor<2xf64>
  %one = arith.constant 1 : index
  %second = tensor.extract %flat[%one] : tensor<2xf64>
  func.return %root, %second : f64, f64
}

// A NaN is left to the machine.
// CHECK-LABEL: @not_a_number
// CHECK: arith.divf
func.func @not_a_number() -> f64 {
  %zero = arith.constant 0.0 : f64
  %nan = arith.divf %zero, %zero : f64
  func.return %nan : f64
}

// CHECK-LABEL: @exact
// CHECK-SAME: (%x: f64)
// CHECK-NEXT: func.return %x, %x, %x, %x
func.func @exact(%x: f64) -> (f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %minus_zero = arith.constant -0.0 : f64
  %a = arith.mulf %one, %x : f64
  %b = arith.divf %x, %one : f64
  %c = arith.subf %x, %zero : f64
  %d = arith.addf %minus_zero, %x : f64
  func.return %a, %b, %c, %d : f64, f64, f64, f64
}

// x + 0.0 is 0.0 for -0.0, x - (-0.0) too, x * 0.0 is NaN for infinity and -0.0 below zero, and 0.0 / x as well.
// CHECK-LABEL: @not_exact
// CHECK: arith.addf
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.divf
// CHECK: arith.subf
func.func @not_exact(%x: f64) -> (f64, f64, f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %minus_zero = arith.constant -0.0 : f64
  %a = arith.addf %x, %zero : f64
  %b = arith.subf %x, %minus_zero : f64
  %c = arith.mulf %x, %zero : f64
  %d = arith.divf %zero, %x : f64
  %e = arith.subf %x, %x : f64
  func.return %a, %b, %c, %d, %e : f64, f64, f64, f64, f64
}

// A sum that begins with 0.0 never is -0.0, and a probability is not below zero, though it may be NaN.
// CHECK-LABEL: @ranges
// CHECK: %sum = linalg.generic
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.divf
// CHECK-NEXT: linalg.yield
// CHECK: func.return %sum
func.func @ranges(%v: tensor<4xf64>, %w: tensor<4x2xf64>) -> (tensor<2xf64>, tensor<4xf64>) {
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %below = arith.constant -0.5 : f64
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %w : tensor<4xf64>, tensor<4x2xf64>) outs(%zeros : tensor<2xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<2xf64>
  %e2 = tensor.empty() : tensor<2xf64>
  %shifted = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<2xf64>) outs(%e2 : tensor<2xf64>) {
  ^bb0(%x: f64, %_: f64):
    %y = arith.addf %x, %zero : f64
    linalg.yield %y : f64
  } -> tensor<2xf64>
  %e4 = tensor.empty() : tensor<4xf64>
  %clipped = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v : tensor<4xf64>) outs(%e4 : tensor<4xf64>) {
  ^bb0(%x: f64, %_: f64):
    %power = math.exp %x : f64
    %more = arith.addf %one, %power : f64
    %y = arith.divf %one, %more : f64
    %z = arith.maximumf %y, %below : f64
    linalg.yield %z : f64
  } -> tensor<4xf64>
  func.return %shifted, %clipped : tensor<2xf64>, tensor<4xf64>
}

// CHECK-LABEL: @branch
// CHECK-SAME: (%x: f64, %y: f64, %c: i1)
// CHECK-NEXT: func.return %x, %y, %c
func.func @branch(%x: f64, %y: f64, %c: i1) -> (f64, f64, i1) {
  %noise = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %noisy = arith.cmpf ogt, %noise, %half : f64
  %a = scf.if %noisy -> (f64) {
    %s = arith.addf %x, %y : f64
    scf.yield %s : f64
  } else {
    scf.yield %x : f64
  }
  %b = arith.select %noisy, %x, %y : f64
  %d = arith.ori %c, %noisy : i1
  func.return %a, %b, %d : f64, f64, i1
}

// A function has a copy for each set of constants that it is called with; one that only some calls hand over leaves the others alone.
// CHECK-LABEL: @calls
// CHECK: func.call @decay(%x, %y)
// CHECK: func.call @decay_1(%x, %{{.*}})
// CHECK: func.call @decay_2(%x, %{{.*}})
// CHECK: func.call @decay_1(%y, %{{.*}})
func.func @calls(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %a = func.call @decay(%x, %y) : (f64, f64) -> f64
  %b = func.call @decay(%x, %one) : (f64, f64) -> f64
  %c = func.call @decay(%x, %two) : (f64, f64) -> f64
  %d = func.call @decay(%y, %one) : (f64, f64) -> f64
  func.return %a, %b, %c, %d : f64, f64, f64, f64
}

// CHECK-LABEL: func.func private @decay(
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: func.return
// CHECK-LABEL: func.func private @decay_1(
// CHECK-NEXT: func.return %x
// CHECK-LABEL: func.func private @decay_2(
// CHECK: arith.constant 4.000000e+00
// CHECK: arith.mulf
// CHECK: func.return
func.func private @decay(%x: f64, %rate: f64) -> f64 {
  %square = arith.mulf %rate, %rate : f64
  %y = arith.mulf %x, %square : f64
  func.return %y : f64
}

// CHECK-LABEL: @returned
// CHECK-NEXT: arith.constant 3.000000e+00
// CHECK-NEXT: func.return
func.func @returned() -> f64 {
  %three = arith.constant 3.0 : f64
  %y = func.call @same(%three) : (f64) -> f64
  func.return %y : f64
}

func.func private @same(%x: f64) -> f64 {
  func.return %x : f64
}
