// Where all numbers of a vector are finite, zeros of a constant matrix are left out; a matrix with few zeros stays as it is.
// RUN: cog-opt %s -p sparse-products | filecheck %s

// CHECK-LABEL: @identity
// CHECK: %[[FINITE:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]{{.*}} ins(%v : tensor<8xf64>)
// CHECK: math.absf
// CHECK: arith.cmpf olt
// CHECK: %finite = tensor.extract
// CHECK: scf.if %finite
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]{{.*}} ins(%v : tensor<8xf64>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.constant 0.000000e+00
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: else
// CHECK: ins(%v, %matrix
func.func @identity(%v: tensor<8xf64>) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %matrix = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]> : tensor<8x8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}

// Zeros of both signs beside the diagonal.
// CHECK-LABEL: @diagonal
// CHECK: scf.if %finite
// CHECK: arith.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00
// CHECK: arith.mulf
// CHECK-NEXT: arith.constant 0.000000e+00
// CHECK-NEXT: arith.addf
// CHECK: else
func.func @diagonal(%v: tensor<8xf64>) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %matrix = arith.constant dense<[[2.0, 0.0, 0.0, -0.0, 0.0, 0.0, -0.0, 0.0], [0.0, 3.0, -0.0, 0.0, 0.0, -0.0, 0.0, 0.0], [0.0, -0.0, 4.0, 0.0, -0.0, 0.0, 0.0, -0.0], [-0.0, 0.0, 0.0, 5.0, 0.0, 0.0, -0.0, 0.0], [0.0, 0.0, -0.0, 0.0, 6.0, -0.0, 0.0, 0.0], [0.0, -0.0, 0.0, 0.0, -0.0, 7.0, 0.0, -0.0], [-0.0, 0.0, 0.0, -0.0, 0.0, 0.0, 8.0, 0.0], [0.0, 0.0, -0.0, 0.0, 0.0, -0.0, 0.0, 9.0]]> : tensor<8x8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}

// CHECK-LABEL: @permutation
// CHECK: scf.if %finite
// CHECK: arith.constant dense<{{\[\[}}11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]>
// CHECK: linalg.generic
// CHECK: %[[ROW:.*]] = arith.index_cast
// CHECK-NEXT: %[[X:.*]] = tensor.extract %v[%[[ROW]]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[X]]
// CHECK: else
func.func @permutation(%v: tensor<12xf64>) -> tensor<12xf64> {
  %zeros = arith.constant dense<0.0> : tensor<12xf64>
  %matrix = arith.constant dense<[[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<12x12xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<12xf64>, tensor<12x12xf64>) outs(%zeros : tensor<12xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<12xf64>
  func.return %y : tensor<12xf64>
}

// CHECK-LABEL: @one_weight
// CHECK: scf.if %finite
// CHECK: arith.constant dense<{{\[\[}}0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]]>
// CHECK: arith.mulf
// CHECK: else
func.func @one_weight(%v: tensor<12xf64>) -> tensor<12xf64> {
  %zeros = arith.constant dense<0.0> : tensor<12xf64>
  %matrix = arith.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<12x12xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<12xf64>, tensor<12x12xf64>) outs(%zeros : tensor<12xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<12xf64>
  func.return %y : tensor<12xf64>
}

// Numbers that are known to be finite need no look.
// CHECK-LABEL: @known
// CHECK-NOT: scf.if
// CHECK: func.return
func.func @known(%n: i64) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %matrix = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]> : tensor<8x8xf64>
  %number = arith.sitofp %n : i64 to f64
  %v = tensor.splat %number : tensor<8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}

// CHECK-LABEL: @dense
// CHECK-NOT: scf.if
// CHECK: func.return
func.func @dense(%v: tensor<8xf64>) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %matrix = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0], [33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0], [41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0], [49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0], [57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0]]> : tensor<8x8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}

// A sum that begins with -0.0 can be -0.0, which a zero would change.
// CHECK-LABEL: @minus_zero
// CHECK-NOT: scf.if
// CHECK: func.return
func.func @minus_zero(%v: tensor<8xf64>) -> tensor<8xf64> {
  %zeros = arith.constant dense<-0.0> : tensor<8xf64>
  %matrix = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]> : tensor<8x8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}

// The matrix is not known.
// CHECK-LABEL: @from_outside
// CHECK-NOT: scf.if
// CHECK: func.return
func.func @from_outside(%v: tensor<8xf64>, %matrix: tensor<8x8xf64>) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.addf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}

// Not a sum of products.
// CHECK-LABEL: @greatest
// CHECK-NOT: scf.if
// CHECK: func.return
func.func @greatest(%v: tensor<8xf64>) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %matrix = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]> : tensor<8x8xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v, %matrix : tensor<8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8xf64>) {
  ^bb0(%x: f64, %weight: f64, %total: f64):
    %product = arith.mulf %x, %weight : f64
    %next = arith.maximumf %total, %product : f64
    linalg.yield %next : f64
  } -> tensor<8xf64>
  func.return %y : tensor<8xf64>
}
