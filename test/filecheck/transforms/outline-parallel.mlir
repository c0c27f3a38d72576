// A large search for the first best value becomes a function over a range of levels, whose parts can be computed at the same time.
// RUN: cog-opt %s -p outline-parallel,cog-dce --split-input-file | filecheck %s --check-prefixes=CHECK,MACHINE
// RUN: cog-opt %s -p outline-parallel,cog-dce --split-input-file | cog-opt --from=machine --emit=loops --split-input-file | filecheck %s --check-prefix=LOOPS
// RUN: cog-opt %s -p outline-parallel,cog-dce --split-input-file | cog-opt --from=machine --emit=llvm-ir --split-input-file | filecheck %s --check-prefix=LLVM

// The choice among what the levels give is the same loop for any number of threads. What the search uses from around it is handed over,
// constants are made again. All values are written in place.
// MACHINE-LABEL: @trial
// MACHINE:         [[FOUND:%.*]], [[AT:%.*]], %values = func.call @search_0(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %all, %levels) {cog.parallel}
// MACHINE-NEXT:    %best, %at = scf.for %level = {{.*}} iter_args(%best{{.*}} = %start, %best_index{{.*}} = %zero)
// MACHINE:           tensor.extract [[FOUND]][%level]
// MACHINE:           tensor.extract [[AT]][%level]
// MACHINE:           arith.cmpi eq, %level
// MACHINE:           arith.cmpf olt
// MACHINE:       func.func private @search_0(%first: index, %last: index, %bests: tensor<2000xf64> {cog.updates = 0 : i64}, %points: tensor<2000xi64> {cog.updates = 1 : i64}, %{{.*}}: tensor<2000xf64> {cog.updates = 2 : i64}, %levels: tensor<2000xf64>)
// MACHINE:         %{{.*}} = scf.for %i = %first to %last step %{{.*}} iter_args(%{{.*}} = %bests, %{{.*}} = %points, %{{.*}} = %{{.*}}, %best = %{{.*}}, %at = %{{.*}})
// MACHINE:           scf.for %j
// MACHINE:           tensor.insert %best{{.*}}[%i]
// MACHINE:           tensor.insert %{{.*}}[%i]

// LOOPS:         func.call @search_0({{.*}}%control) {cog.parallel, cog.helped}

// The chunk hands over what it was handed; without a helper it is called for all levels.
// LLVM:          define internal void @search_0.chunk(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}})
// LLVM:            call void @search_0(i64
// LLVM:          define internal void @cogir_parallel(ptr %{{.*}}, ptr %{{.*}}, i64 %{{.*}}, ptr %{{.*}})
// LLVM:            icmp eq i64
// LLVM:            call void %{{.*}}(ptr %{{.*}}, i64 0, i64 %{{.*}})
// LLVM:            inttoptr
// LLVM:            call void %{{.*}}(ptr %{{.*}}, ptr %{{.*}}, i64 %{{.*}})
// LLVM:            call void @cogir_parallel(ptr @search_0.chunk, ptr %{{.*}}, i64 2000, ptr %{{.*}})
func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %levels: tensor<2000xf64>, %all: tensor<2000xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}) -> (tensor<2000xf64>, tensor<1xi64>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 2000 : index
  %start = arith.constant 0.0 : f64
  %best, %at, %values = scf.for %i = %zero to %end step %one
      iter_args(%best = %start, %at = %zero, %all1 = %all) -> (f64, index, tensor<2000xf64>) {
    %level = tensor.extract %levels[%i] : tensor<2000xf64>
    %best3, %at3 = scf.for %j = %zero to %end step %one iter_args(%best1 = %best, %at1 = %at) -> (f64, index) {
      %other = tensor.extract %levels[%j] : tensor<2000xf64>
      %value = arith.mulf %level, %other : f64
      %row = arith.muli %i, %end : index
      %point = arith.addi %row, %j : index
      %first = arith.cmpi eq, %point, %zero : index
      %less = arith.cmpf olt, %value, %best1 : f64
      %changes = arith.ori %first, %less : i1
      %best2, %at2 = scf.if %changes -> (f64, index) {
        scf.yield %value, %point : f64, index
      } else {
        scf.yield %best1, %at1 : f64, index
      }
      scf.yield %best2, %at2 : f64, index
    }
    %all2 = tensor.insert %level into %all1[%i] : tensor<2000xf64>
    scf.yield %best3, %at3, %all2 : f64, index, tensor<2000xf64>
  } {cog.first_optimum = "minimize"}
  %n = arith.index_cast %at : index to i64
  %f = arith.sitofp %n : i64 to f64
  %sum = arith.addf %best, %f : f64
  %out = tensor.from_elements %sum : tensor<1xf64>
  %ok = arith.constant 0 : i64
  func.return %values, %si, %out, %ok : tensor<2000xf64>, tensor<1xi64>, tensor<1xf64>, i64
}

// -----

// In one piece: a search among ties, which is not marked; one that is small; and one whose first axis is short.
// CHECK-LABEL: @others
// CHECK-NOT:   func.call
// CHECK:       func.return
// LOOPS:       @others
// LLVM:        @others
func.func @others(%levels: tensor<2000000xf64>) -> (f64, f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 7 : index
  %some = arith.constant 100 : index
  %many = arith.constant 2000000 : index
  %start = arith.constant 0.0 : f64
  %ties, %at1 = scf.for %i = %zero to %many step %one iter_args(%best = %start, %at0 = %zero) -> (f64, index) {
    %level = tensor.extract %levels[%i] : tensor<2000000xf64>
    %less = arith.cmpf olt, %level, %best : f64
    %best1 = arith.select %less, %level, %best : f64
    %at4 = arith.select %less, %i, %at0 : index
    scf.yield %best1, %at4 : f64, index
  }
  %small, %at2 = scf.for %i = %zero to %some step %one iter_args(%best = %start, %at0 = %zero) -> (f64, index) {
    %level = tensor.extract %levels[%i] : tensor<2000000xf64>
    %less = arith.cmpf olt, %level, %best : f64
    %best1 = arith.select %less, %level, %best : f64
    %at4 = arith.select %less, %i, %at0 : index
    scf.yield %best1, %at4 : f64, index
  } {cog.first_optimum = "minimize"}
  %short, %at3 = scf.for %i = %zero to %few step %one iter_args(%best = %start, %at0 = %zero) -> (f64, index) {
    %best2 = scf.for %j = %zero to %many step %one iter_args(%best3 = %best) -> (f64) {
      %level = tensor.extract %levels[%j] : tensor<2000000xf64>
      %less = arith.cmpf olt, %level, %best3 : f64
      %best1 = arith.select %less, %level, %best3 : f64
      scf.yield %best1 : f64
    }
    scf.yield %best2, %at0 : f64, index
  } {cog.first_optimum = "minimize"}
  func.return %ties, %small, %short : f64, f64, f64
}

// -----

// A search in each point of another one stays a part of the point: what is shared out are the outer one's levels.
// CHECK-LABEL: @within
// CHECK:         func.call @search_0
// CHECK:       func.func private @search_0
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:           } {cog.first_optimum = "maximize"}
// CHECK-NOT:   @search_1
func.func @within(%levels: tensor<2000000xf64>) -> (f64, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 8 : index
  %inner_end = arith.constant 2000000 : index
  %start = arith.constant 0.0 : f64
  %best, %at = scf.for %i = %zero to %end step %one iter_args(%best1 = %start, %at1 = %zero) -> (f64, index) {
    %value, %place = scf.for %j = %zero to %inner_end step %one iter_args(%best2 = %start, %at2 = %zero) -> (f64, index) {
      %other = tensor.extract %levels[%j] : tensor<2000000xf64>
      %is_first = arith.cmpi eq, %j, %zero : index
      %more = arith.cmpf ogt, %other, %best2 : f64
      %taken = arith.ori %is_first, %more : i1
      %best3 = arith.select %taken, %other, %best2 : f64
      %at3 = arith.select %taken, %j, %at2 : index
      scf.yield %best3, %at3 : f64, index
    } {cog.first_optimum = "maximize"}
    %is_first = arith.cmpi eq, %i, %zero : index
    %less = arith.cmpf olt, %value, %best1 : f64
    %taken = arith.ori %is_first, %less : i1
    %best4 = arith.select %taken, %value, %best1 : f64
    %at4 = arith.select %taken, %i, %at1 : index
    scf.yield %best4, %at4 : f64, index
  } {cog.first_optimum = "minimize"}
  func.return %best, %at : f64, index
}
