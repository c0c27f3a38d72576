// Boxes of points are searched before the grid, which is searched exhaustively only if that is given up.
// RUN: cog-opt %s -p "prune-search{force=true},cog-dce" --split-input-file | filecheck %s

// CHECK-LABEL: @search
// CHECK:         %best, %best_index, %is_done, %boxes, %points = func.call @prune(%levels, %others, %k)
// CHECK:         func.call @cogir_count_search(%{{.*}}, %boxes, %points)
// CHECK:         scf.if %is_done -> (f64, index) {
// CHECK-NEXT:      scf.yield %best, %{{.*}} : f64, index
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.for %i
// CHECK:             scf.for %j
// CHECK:           cog.first_optimum
// CHECK-NEXT:      scf.yield

// The value of a point, from what its axes give.
// CHECK:       func.func private @point(%x: f64, %y: f64, %k: f64) -> f64 {
// CHECK-NEXT:    %p = arith.mulf %x, %y : f64
// CHECK-NEXT:    %value = arith.subf %p, %k : f64
// CHECK-NEXT:    func.return %value : f64

// The least of four products, less a number; no infinity times zero counts, and no bound is NaN.
// CHECK:       func.func private @bounds(%x_low: f64, %x_high: f64, %x_nan: i1, %y_low: f64, %y_high: f64, %y_nan: i1, %k: f64) -> f64 {
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         %p_low = arith.select
// CHECK:         arith.negf %k
// CHECK-NEXT:    arith.addf %p_low
// CHECK-NEXT:    arith.cmpf uno
// CHECK-NEXT:    %value_low = arith.select

// The tables of an axis: exponentials of levels, once for each; then empty nodes; then the rows above.
// CHECK:       func.func private @prune
// CHECK:         scf.for %level
// CHECK:           math.exp
// CHECK:         scf.for %empty
// CHECK:         scf.for %row
// CHECK:         scf.for %level
// CHECK-NOT:     math.exp
// The first point, the search for a good value, the boxes that wait.
// CHECK:         func.call @point
// CHECK:         scf.for %turn
// CHECK:           scf.for %probe
// CHECK:             func.call @point
// CHECK:         scf.while (%nodes
// CHECK:           scf.while
// CHECK:             func.call @point
// CHECK:             func.call @bounds
func.func @search(%levels: tensor<5xf64>, %others: tensor<4xf64>, %k: f64) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %best, %at = scf.for %i = %c0 to %c5 step %c1 iter_args(%b0 = %zero, %a0 = %c0) -> (f64, index) {
    %l = tensor.extract %levels[%i] : tensor<5xf64>
    %x = math.exp %l : f64
    %start = arith.muli %i, %c4 : index
    %b3, %a3 = scf.for %j = %c0 to %c4 step %c1 iter_args(%b1 = %b0, %a1 = %a0) -> (f64, index) {
      %y = tensor.extract %others[%j] : tensor<4xf64>
      %point = arith.addi %start, %j : index
      %p = arith.mulf %x, %y : f64
      %value = arith.subf %p, %k : f64
      %is_first = arith.cmpi eq, %point, %c0 : index
      %is_better = arith.cmpf olt, %value, %b1 : f64
      %changes = arith.ori %is_first, %is_better : i1
      %b2, %a2 = scf.if %changes -> (f64, index) {
        scf.yield %value, %point : f64, index
      } else {
        scf.yield %b1, %a1 : f64, index
      }
      scf.yield %b2, %a2 : f64, index
    }
    scf.yield %b3, %a3 : f64, index
  } {cog.first_optimum = "minimize", cog.controller = "control"}
  func.return %best, %at : f64, index
}

// -----

// A search that keeps the values of all points has no boxes.
// CHECK:       cog.exhaustive = {kept = "the values of all points are kept"}
// CHECK-LABEL: @kept
// CHECK-NOT:     func.call
func.func @kept(%levels: tensor<2xf64>, %k: f64) -> (f64, index, tensor<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<4xf64>
  %best, %at, %all = scf.for %i = %c0 to %c2 step %c1 iter_args(%b0 = %zero, %a0 = %c0, %v0 = %empty) -> (f64, index, tensor<4xf64>) {
    %l = tensor.extract %levels[%i] : tensor<2xf64>
    %start = arith.muli %i, %c2 : index
    %b3, %a3, %v3 = scf.for %j = %c0 to %c2 step %c1 iter_args(%b1 = %b0, %a1 = %a0, %v1 = %v0) -> (f64, index, tensor<4xf64>) {
      %m = tensor.extract %levels[%j] : tensor<2xf64>
      %point = arith.addi %start, %j : index
      %value = arith.mulf %l, %m : f64
      %is_first = arith.cmpi eq, %point, %c0 : index
      %is_better = arith.cmpf olt, %value, %b1 : f64
      %changes = arith.ori %is_first, %is_better : i1
      %b2, %a2 = scf.if %changes -> (f64, index) {
        scf.yield %value, %point : f64, index
      } else {
        scf.yield %b1, %a1 : f64, index
      }
      %v2 = tensor.insert %value into %v1[%point] : tensor<4xf64>
      scf.yield %b2, %a2, %v2 : f64, index, tensor<4xf64>
    }
    scf.yield %b3, %a3, %v3 : f64, index, tensor<4xf64>
  } {cog.first_optimum = "minimize", cog.controller = "kept"}
  func.return %best, %at, %all : f64, index, tensor<4xf64>
}
