// A search for the first best value becomes a kernel: a function for the points of one thread, and one that stands for the kernel.
// RUN: cog-opt %s -p outline-gpu,cog-dce --split-input-file | filecheck %s

// The host hands over tables of neutral rows, one for each block, and chooses among the rows afterwards. What the search uses from around it is handed over.
// CHECK-LABEL: @trial
// CHECK:         [[WORST:%.*]] = arith.constant dense<0x7ff0000000000000> : tensor<2048xf64>
// CHECK:         [[ZEROS:%.*]] = arith.constant dense<0> : tensor<2048xi64>
// CHECK:         [[BESTS:%.*]], [[POINTS:%.*]] = func.call @search_0(%{{.*}}, %{{.*}}, [[WORST]], [[ZEROS]], %levels) {cog.launch = 0 : i64}
// CHECK:         scf.for %row = {{.*}} iter_args(%best{{.*}} = %{{.*}}, %point = %{{.*}})
// CHECK:           tensor.extract [[BESTS]][%row]
// CHECK:           tensor.extract [[POINTS]][%row]
// NaN, which only point 0 keeps, comes first; then the better value; then the lower point.
// CHECK:           arith.cmpf uno
// CHECK:           arith.cmpf olt
// CHECK:           arith.cmpf oeq
// CHECK:           arith.cmpi slt

// A thread goes through points of the whole grid; the indices along the axes follow from the number of the point.
// CHECK:       func.func private @search_0_points(%first: index, %last: index, %stride: index, %levels: tensor<7xf64>) -> (f64, i64)
// CHECK:         scf.for %point = %first to %last step %stride iter_args(%best{{.*}}, %at{{.*}})
// CHECK:           %j = arith.remui %point
// CHECK:           %i = arith.divui %point
// CHECK:           tensor.extract %levels[%i]
// CHECK:           tensor.extract %levels[%j]
// CHECK-NOT:       scf.for

// On a host without a GPU the result goes into row 0.
// CHECK:       func.func private @search_0(%first: index, %last: index, %bests: tensor<2048xf64> {cog.updates = 0 : i64}, %points: tensor<2048xi64> {cog.updates = 1 : i64}, %levels: tensor<7xf64>)
// CHECK-SAME:      cog.kernel = 0 : i64
// CHECK:         func.call @search_0_points(%first, %last, %{{.*}}, %levels)
// CHECK:         tensor.insert
// CHECK:         tensor.insert
func.func @trial(%levels: tensor<7xf64>) -> (f64, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 7 : index
  %start = arith.constant 0.0 : f64
  %best, %at = scf.for %i = %zero to %end step %one iter_args(%best1 = %start, %at1 = %zero) -> (f64, index) {
    %level = tensor.extract %levels[%i] : tensor<7xf64>
    %best4, %at4 = scf.for %j = %zero to %end step %one iter_args(%best2 = %best1, %at2 = %at1) -> (f64, index) {
      %other = tensor.extract %levels[%j] : tensor<7xf64>
      %value = arith.mulf %level, %other : f64
      %row = arith.muli %i, %end : index
      %number = arith.addi %row, %j : index
      %first = arith.cmpi eq, %number, %zero : index
      %less = arith.cmpf olt, %value, %best2 : f64
      %changes = arith.ori %first, %less : i1
      %best3 = arith.select %changes, %value, %best2 : f64
      %at3 = arith.select %changes, %number, %at2 : index
      scf.yield %best3, %at3 : f64, index
    }
    scf.yield %best4, %at4 : f64, index
  } {cog.first_optimum = "minimize"}
  func.return %best, %at : f64, index
}

// -----

// A search that can fail keeps the first error with its point, and counts of events are sums.
// CHECK-LABEL: @failing
// CHECK:         func.call @search_0({{.*}}%status{{.*}}) {cog.launch = 0 : i64} : (index, index, tensor<2048xf64>, tensor<2048xi64>, tensor<2048xi64>, tensor<2048xi64>, tensor<2048x1xi64>
// CHECK:       func.func private @search_0_points({{.*}}) -> (f64, i64, i64, i64, tensor<1xi64>)
// CHECK:         scf.for %i = %first to %last
// CHECK:           [[BEFORE:%.*]] = arith.cmpi eq, %status
// CHECK:           [[WRONG:%.*]] = arith.cmpi ne
// CHECK:           [[FIRST:%.*]] = arith.andi [[BEFORE]], [[WRONG]]
// CHECK:           arith.select [[FIRST]], %i
func.func @failing(%levels: tensor<7xf64>, %status: i64, %counts: tensor<1xi64>) -> (f64, index, i64, tensor<1xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 7 : index
  %start = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %best, %at, %status1, %counts1 = scf.for %i = %zero to %end step %one
      iter_args(%best1 = %start, %at1 = %zero, %status2 = %status, %counts2 = %counts) -> (f64, index, i64, tensor<1xi64>) {
    %value = tensor.extract %levels[%i] : tensor<7xf64>
    %bad = arith.cmpf uno, %value, %value : f64
    %status3 = arith.select %bad, %three, %status2 : i64
    %before = tensor.extract %counts2[%zero] : tensor<1xi64>
    %more = arith.extui %bad : i1 to i64
    %after = arith.addi %before, %more : i64
    %counts3 = tensor.insert %after into %counts2[%zero] : tensor<1xi64>
    %first = arith.cmpi eq, %i, %zero : index
    %less = arith.cmpf ogt, %value, %best1 : f64
    %changes = arith.ori %first, %less : i1
    %best2 = arith.select %changes, %value, %best1 : f64
    %at2 = arith.select %changes, %i, %at1 : index
    scf.yield %best2, %at2, %status3, %counts3 : f64, index, i64, tensor<1xi64>
  } {cog.first_optimum = "maximize"}
  func.return %best, %at, %status1, %counts1 : f64, index, i64, tensor<1xi64>
}

// -----

// In a module for replicates the replicates are the kernel.
// CHECK-LABEL: @replicate_streams
// CHECK-SAME:      attributes {cog.kernel}
func.func @replicate_streams(%seed: i64, %replicate: i64) {
  func.return
}
