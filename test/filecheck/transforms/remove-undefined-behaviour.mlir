// Indices, divisors, shifts and casts are brought to where they are defined; what is known to be there stays as it is.
// RUN: cog-opt %s -p remove-undefined-behaviour --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: @element
// CHECK: %[[ABOVE:.*]] = arith.maxsi %i, %{{.*}} {cog.index = 4 : i64} : index
// CHECK: %[[INSIDE:.*]] = arith.minsi %[[ABOVE]], %{{.*}} {cog.index = 4 : i64} : index
// CHECK: tensor.extract %v[%[[INSIDE]]]
func.func @element(%v: tensor<4xf64>, %i: index) -> f64 {
  %x = tensor.extract %v[%i] : tensor<4xf64>
  func.return %x : f64
}

// A window of three elements begins at 0 or 1.
// CHECK-LABEL: @window
// CHECK: %[[LAST:.*]] = arith.constant 1 : index
// CHECK: %[[START:.*]] = arith.minsi %{{.*}}, %[[LAST]] {cog.window = array<i64: 3, 4>} : index
// CHECK: tensor.insert_slice %w into %v[%[[START]]] [3] [1]
func.func @window(%v: tensor<4xf64>, %w: tensor<3xf64>, %i: index) -> tensor<4xf64> {
  %x = tensor.insert_slice %w into %v[%i] [3] [1] : tensor<3xf64> into tensor<4xf64>
  func.return %x : tensor<4xf64>
}

// CHECK-LABEL: @in_range
// CHECK-NOT: arith.maxsi
// CHECK-NOT: arith.select
// CHECK: func.return
func.func @in_range(%v: tensor<4xf64>, %x: i64) -> (f64, i64, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %start = arith.constant 0.0 : f64
  %sum = scf.for %i = %zero to %four step %one iter_args(%so_far = %start) -> (f64) {
    %element = tensor.extract %v[%i] : tensor<4xf64>
    %next = arith.addf %so_far, %element : f64
    scf.yield %next : f64
  }
  %seven = arith.constant 7 : i64
  %quotient = arith.divsi %x, %seven : i64
  %shifted = arith.shrsi %x, %seven : i64
  func.return %sum, %quotient, %shifted : f64, i64, i64
}

// CHECK-LABEL: @quotient
// CHECK: %[[SPECIAL:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: %[[DIVISOR:.*]] = arith.select %[[SPECIAL]], %{{.*}}, %b {cog.divisor} : i64
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %a, %[[DIVISOR]] : i64
// CHECK: %[[PRODUCT:.*]] = arith.muli %a, %b : i64
// CHECK: %[[RESULT:.*]] = arith.select %[[SPECIAL]], %[[PRODUCT]], %[[QUOTIENT]] : i64
// CHECK: func.return %[[RESULT]]
func.func @quotient(%a: i64, %b: i64) -> i64 {
  %q = arith.divsi %a, %b : i64
  func.return %q : i64
}

// CHECK-LABEL: @flags
// CHECK: arith.addi %a, %a : i64
// CHECK: arith.addf %x, %x fastmath<contract> : f64
func.func @flags(%a: i64, %x: f64) -> (i64, f64) {
  %s = arith.addi %a, %a overflow<nsw,nuw> : i64
  %t = arith.addf %x, %x fastmath<nnan,contract> : f64
  func.return %s, %t : i64, f64
}

// An array that nobody has written is zero; one that is written before it is read stays empty.
// CHECK-LABEL: @empty
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: tensor.splat %[[ZERO]] : tensor<2xf64>
// CHECK: tensor.empty
func.func @empty(%a: tensor<1xf64>, %b: tensor<1xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  %unwritten = tensor.empty() : tensor<2xf64>
  %e0 = tensor.empty() : tensor<2xf64>
  %e1 = tensor.insert_slice %a into %e0[0] [1] [1] : tensor<1xf64> into tensor<2xf64>
  %e2 = tensor.insert_slice %b into %e1[1] [1] [1] : tensor<1xf64> into tensor<2xf64>
  func.return %unwritten, %e2 : tensor<2xf64>, tensor<2xf64>
}

// -----

// CHECK: {{.*}}: error: tensor.extract: index 4 is out of range for an axis of 4 elements; give 0 to 3
func.func @constant(%v: tensor<4xf64>) -> f64 {
  %c = arith.constant 4 : index
  %x = tensor.extract %v[%c] : tensor<4xf64>
  func.return %x : f64
}

// -----

// CHECK: {{.*}}: error: linalg.generic: the index ((d0 * 3) mod 7) goes from 0 to 6, out of range for an axis of 6 elements
func.func @beyond(%v: tensor<6xf64>, %o: tensor<5xf64>) -> tensor<5xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i * 3) mod 7)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%v : tensor<6xf64>) outs(%o : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64):
    linalg.yield %x : f64
  } -> tensor<5xf64>
  func.return %r : tensor<5xf64>
}
