// The values of a row of points are computed apart from the choice among them, which rows that change nothing do without.
// RUN: cog-opt %s -p reservoir-sampling,cog-dce --split-input-file | filecheck %s

// The first loop asks the rule with what the row begins with, so that no turn waits for another one; the second is the search as it was.
// What is carried besides (all values) goes with the first.
// CHECK-LABEL: @first
// CHECK:       [[TOUCHED:%.*]], [[ROW:%.*]], %values = scf.for %i = {{.*}} iter_args([[SEEN:%.*]] = %{{.*}}, [[KEPT:%.*]] = %{{.*}}, [[ALL:%.*]] = %all)
// CHECK:         %value{{.*}} = math.exp
// CHECK:         tensor.insert %value{{.*}} into [[ALL]][%i
// CHECK:         [[LESS:%.*]] = arith.cmpf olt, %value{{.*}}, %start
// CHECK:         tensor.insert %value{{.*}} into [[KEPT]][%i
// CHECK:         arith.ori [[SEEN]], [[LESS]] : i1
// CHECK:       scf.if [[TOUCHED]] -> (f64, index) {
// CHECK:         scf.for %i{{.*}} iter_args(%best{{.*}} = %start, %at{{.*}} = %zero)
// CHECK-NOT:       math.exp
// CHECK:           tensor.extract [[ROW]][%i
// CHECK:           arith.cmpf olt, %value{{.*}}, %best
// CHECK:           scf.if
// CHECK:         scf.yield %start, %zero : f64, index
func.func @first(%levels: tensor<101xf64>, %start: f64, %all: tensor<101xf64>) -> (f64, index, tensor<101xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 101 : index
  %best, %at, %values = scf.for %i = %zero to %end step %one
      iter_args(%best = %start, %at = %zero, %all1 = %all) -> (f64, index, tensor<101xf64>) {
    %level = tensor.extract %levels[%i] : tensor<101xf64>
    %value = math.exp %level : f64
    %less = arith.cmpf olt, %value, %best : f64
    %best1, %at1 = scf.if %less -> (f64, index) {
      scf.yield %value, %i : f64, index
    } else {
      scf.yield %best, %at : f64, index
    }
    %all2 = tensor.insert %value into %all1[%i] : tensor<101xf64>
    scf.yield %best1, %at1, %all2 : f64, index, tensor<101xf64>
  }
  func.return %best, %at, %values : f64, index, tensor<101xf64>
}

// -----

// Ties take a draw: the generator is carried by the choice alone, and the loop over values draws nothing.
// CHECK-LABEL: @ties
// CHECK:       scf.for
// CHECK-NOT:     rng.uniform
// CHECK:       scf.if
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             rng.uniform
func.func @ties(%levels: tensor<101xf64>, %start: f64, %r: !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 101 : index
  %best, %r1 = scf.for %i = %zero to %end step %one iter_args(%best = %start, %r1 = %r) -> (f64, !rng.state<mt19937>) {
    %level = tensor.extract %levels[%i] : tensor<101xf64>
    %value = math.exp %level : f64
    %less = arith.cmpf ole, %value, %best : f64
    %best1, %r2 = scf.if %less -> (f64, !rng.state<mt19937>) {
      %draw, %r3 = rng.uniform %r1 : !rng.state<mt19937> -> f64
      %taken = arith.addf %value, %draw : f64
      scf.yield %taken, %r3 : f64, !rng.state<mt19937>
    } else {
      scf.yield %best, %r1 : f64, !rng.state<mt19937>
    }
    scf.yield %best1, %r2 : f64, !rng.state<mt19937>
  }
  func.return %best, %r1 : f64, !rng.state<mt19937>
}

// -----

// A long row is cut into blocks, the last of which may be shorter.
// CHECK-LABEL: @long
// CHECK:       scf.for [[B:%.*]] = {{.*}} iter_args(%{{.*}} = %start)
// CHECK-NEXT:    [[FIRST:%.*]] = arith.muli [[B]]
// CHECK:         [[LAST:%.*]] = arith.select
// CHECK:         scf.for %i = [[FIRST]] to [[LAST]] {{.*}} tensor<1024xf64>
// CHECK:         scf.if
// CHECK:           scf.for %i{{.*}} = [[FIRST]] to [[LAST]]
func.func @long(%levels: tensor<3000xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 3000 : index
  %best = scf.for %i = %zero to %end step %one iter_args(%best = %start) -> (f64) {
    %level = tensor.extract %levels[%i] : tensor<3000xf64>
    %value = math.exp %level : f64
    %less = arith.cmpf olt, %value, %best : f64
    %best1 = scf.if %less -> (f64) {
      scf.yield %value : f64
    } else {
      scf.yield %best : f64
    }
    scf.yield %best1 : f64
  }
  func.return %best : f64
}

// -----

// Left alone: the values depend on what was chosen.
// CHECK-LABEL: @depends
// CHECK-NOT:   tensor.empty
// CHECK:       scf.for
// CHECK-NOT:   scf.for
func.func @depends(%levels: tensor<101xf64>, %start: f64) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 101 : index
  %best, %sum = scf.for %i = %zero to %end step %one iter_args(%best = %start, %sum = %start) -> (f64, f64) {
    %level = tensor.extract %levels[%i] : tensor<101xf64>
    %less = arith.cmpf olt, %level, %best : f64
    %best1 = scf.if %less -> (f64) {
      scf.yield %level : f64
    } else {
      scf.yield %best : f64
    }
    %sum1 = arith.addf %sum, %best : f64
    scf.yield %best1, %sum1 : f64, f64
  }
  func.return %best, %sum : f64, f64
}

// -----

// Left alone: a row of few points, and points that may take for ever.
// CHECK-LABEL: @short
// CHECK-NOT:   tensor.empty
// CHECK:       scf.for
// CHECK-NOT:   scf.for
// CHECK-LABEL: @endless
// CHECK-NOT:   tensor.empty
// CHECK:       scf.for
// CHECK-NOT:   scf.for
func.func @short(%levels: tensor<4xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 4 : index
  %best = scf.for %i = %zero to %end step %one iter_args(%best = %start) -> (f64) {
    %level = tensor.extract %levels[%i] : tensor<4xf64>
    %less = arith.cmpf olt, %level, %best : f64
    %best1 = scf.if %less -> (f64) {
      scf.yield %level : f64
    } else {
      scf.yield %best : f64
    }
    scf.yield %best1 : f64
  }
  func.return %best : f64
}
func.func @endless(%levels: tensor<101xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 101 : index
  %best = scf.for %i = %zero to %end step %one iter_args(%best = %start) -> (f64) {
    %level = tensor.extract %levels[%i] : tensor<101xf64>
    %value = scf.while (%x = %level) : (f64) -> f64 {
      %more = arith.cmpf olt, %x, %start : f64
      scf.condition(%more) %x : f64
    } do {
    ^bb0(%x: f64):
      %y = arith.addf %x, %x : f64
      scf.yield %y : f64
    }
    %less = arith.cmpf olt, %value, %best : f64
    %best1 = scf.if %less -> (f64) {
      scf.yield %value : f64
    } else {
      scf.yield %best : f64
    }
    scf.yield %best1 : f64
  }
  func.return %best : f64
}
