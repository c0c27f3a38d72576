// The derivatives of a loss by the numbers that are learned: operations hand adjoints on, from the last to the first.
// RUN: cog-opt %s -p differentiate,cog-cse,cog-dce,verify-ssa --split-input-file | filecheck %s

// y = x * w, loss = y * y; dw = 2 * y * x. The loss itself and the other results stay what they were.
// CHECK-LABEL: func.func @gradient(%pf: tensor<2xf64>, %x: f64, %sum: tensor<1xf64> {cog.updates = 0 : i64}) -> (tensor<1xf64>, f64, f64)
// CHECK: %w = tensor.extract %pf
// CHECK-NEXT: %y = arith.mulf %x, %w : f64
// CHECK-NEXT: %loss = arith.mulf %y, %y : f64
// CHECK-NEXT: [[ONE:%.+]] = arith.mulf {{%.+}}, %y : f64
// CHECK-NEXT: [[BY_Y:%.+]] = arith.addf [[ONE]], [[ONE]] : f64
// CHECK-NEXT: [[BY_W:%.+]] = arith.mulf [[BY_Y]], %x : f64
// CHECK: tensor.from_elements [[BY_W]] : tensor<1xf64>
// CHECK: arith.addf
// CHECK: func.return {{%.+}}, %y, %loss : tensor<1xf64>, f64, f64
// CHECK-NOT: @loss
func.func @loss(%pf: tensor<2xf64> {cog.learned = [[1, 1]]}, %x: f64) -> (f64, f64) {
  %c1 = arith.constant 1 : index
  %w = tensor.extract %pf[%c1] : tensor<2xf64>
  %y = arith.mulf %x, %w : f64
  %loss = arith.mulf %y, %y : f64
  func.return %y, %loss : f64, f64
}

// -----

// The derivative of 1 / w takes no second division; that of x / w does.
// CHECK-LABEL: func.func @gradient
// CHECK: [[Q:%.+]] = arith.divf %one, %w : f64
// CHECK-NOT: arith.divf
// CHECK: [[P:%.+]] = arith.mulf {{%.+}}, [[Q]] : f64
// CHECK-NEXT: arith.mulf [[P]], [[Q]] : f64
// CHECK: func.return
func.func @loss(%pf: tensor<1xf64> {cog.learned = [[0, 1]]}) -> f64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %w = tensor.extract %pf[%c0] : tensor<1xf64>
  %q = arith.divf %one, %w : f64
  %loss = math.sin %q : f64
  func.return %loss : f64
}

// -----

// CHECK-LABEL: func.func @gradient
// CHECK-COUNT-2: arith.divf
func.func @loss(%pf: tensor<1xf64> {cog.learned = [[0, 1]]}, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %w = tensor.extract %pf[%c0] : tensor<1xf64>
  %q = arith.divf %x, %w : f64
  %loss = math.sin %q : f64
  func.return %loss : f64
}

// -----

// A vector times a matrix: the derivative by the matrix is an outer product; the vector is not learned and gets none.
// CHECK-LABEL: @gradient
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: } -> tensor<2x3xf64>
// CHECK-NOT: -> tensor<2xf64>
// CHECK: tensor.collapse_shape
func.func @loss(%matrix: tensor<6xf64> {cog.learned = [[0, 6]]}, %x: tensor<2xf64>) -> f64 {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %none = arith.constant dense<0.0> : tensor<f64>
  %w = tensor.expand_shape %matrix [[0 : i64, 1 : i64]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x, %w : tensor<2xf64>, tensor<2x3xf64>) outs(%zero : tensor<3xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<3xf64>
  %total = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%y : tensor<3xf64>) outs(%none : tensor<f64>) {
  ^bb0(%a: f64, %c: f64):
    %s = arith.addf %c, %a : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  %loss = tensor.extract %total[] : tensor<f64>
  func.return %loss : f64
}

// -----

// Calls are put in line, so that what they compute has derivatives, too. (A copy that is marked as fixed has none.)
// CHECK-LABEL: @gradient
// CHECK: math.exp
// CHECK-NOT: func.call
// CHECK: func.return
func.func private @grow(%x: f64) -> f64 {
  %y = math.exp %x : f64
  func.return %y : f64
}
func.func @loss(%w: tensor<1xf64> {cog.learned = [[0, 1]]}) -> f64 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %w[%c0] : tensor<1xf64>
  %y = func.call @grow(%x) : (f64) -> f64
  func.return %y : f64
}

// -----

// A function that is only called so is left alone.
// CHECK-LABEL: @loss
// CHECK-NOT: @gradient
func.func @loss(%x: f64) -> f64 {
  func.return %x : f64
}
