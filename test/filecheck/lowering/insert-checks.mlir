// What a model stops at when it is compiled with checked=True: bodies yield their first fault, functions have a copy that returns theirs,
// operations on arrays become loops, and what a choice drops is no fault. Without the option nothing changes.
// RUN: cog-opt %s -p 'insert-checks{enabled=true}' | filecheck %s
// RUN: cog-opt %s -p insert-checks | filecheck %s --check-prefix=OFF

// OFF-NOT: checked

// CHECK: {cog.checks = [["index", "5", "{{.*}}insert-checks.mlir:23: "], ["index", {{.*}}], ["nan", "sqrt", {{.*}}], ["nan", "sqrt", {{.*}}], ["window", "2 4", {{.*}}], ["divisor", "", {{.*}}], ["nan", "remainder", {{.*}}], ["nan", "sqrt", {{.*}}]]} {

// An index that an axis does not have: the number of the check is in the upper bits, the index in the lower 32.
// CHECK:      func.func private @pick_checked(%table: tensor<5xf64>, %i: i64) -> (f64, i64) {
// CHECK:        %low = arith.maxsi %i, %c0 {cog.index = 5 : i64} : i64
// CHECK:        [[MOVED:%.*]] = arith.cmpi ne, %low, %i : i64
// CHECK:        [[CODE:%.*]] = arith.ori
// CHECK:        [[BELOW:%.*]] = arith.select [[MOVED]], [[CODE]],
// CHECK:        %near = arith.minsi %low, %c4 {cog.index = 5 : i64} : i64
// CHECK:        [[FAULT:%.*]] = arith.select %{{.*}}, %{{.*}}, [[BELOW]] : i64
// CHECK:        func.return %value, [[FAULT]] : f64, i64
// CHECK:      func.func private @pick(%table: tensor<5xf64>, %i: i64) -> f64 {
func.func private @pick(%table: tensor<5xf64>, %i: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %low = arith.maxsi %i, %c0 {cog.index = 5 : i64} : i64
  %near = arith.minsi %low, %c4 {cog.index = 5 : i64} : i64
  %place = arith.index_cast %near : i64 to index
  %value = tensor.extract %table[%place] : tensor<5xf64>
  func.return %value : f64
}

// An operator: a NaN is made where it is called, not in it.
// CHECK:      func.func private @remainder
// CHECK-NOT:  @remainder_checked
func.func private @remainder(%x: f64, %y: f64) -> f64 {
  %z = math.sqrt %x : f64
  func.return %z : f64
}

cog.model @m {
  // CHECK:      cog.node @picks
  // CHECK:        %value, [[FAULT:%.*]] = func.call @pick_checked(%table, %i)
  // CHECK-NEXT:   cog.yield %value checked([[FAULT]])
  cog.node @picks (%i: i64) params (%table: tensor<5xf64> = dense<1.0>) -> (value: f64 = 0.0) {
    %value = func.call @pick(%table, %i) : (tensor<5xf64>, i64) -> f64
    cog.yield %value
  }
  // CHECK:      cog.node @roots
  // CHECK:        %root, [[FAULT:%.*]] = scf.for
  // CHECK:          [[ROOT:%.*]] = math.sqrt [[X:%.*]] : f64
  // CHECK-NEXT:     [[NAN:%.*]] = arith.cmpf uno, [[ROOT]], [[ROOT]] : f64
  // CHECK-NEXT:     [[NUMBER:%.*]] = arith.cmpf ord, [[X]], [[X]] : f64
  // CHECK-NEXT:     arith.andi [[NAN]], [[NUMBER]] : i1
  // CHECK:        cog.yield %root checked([[FAULT]])
  cog.node @roots (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    %root = math.sqrt %x : tensor<3xf64>
    cog.yield %root
  }
  // CHECK:      cog.node @chooses
  // CHECK:        [[TAKEN:%.*]] = arith.select %positive, %{{.*}}, %{{.*}} : i64
  // CHECK-NEXT:   %chosen = arith.select %positive, %root, %zero : f64
  // CHECK-NEXT:   cog.yield %chosen checked([[TAKEN]])
  cog.node @chooses (%x: f64) -> (value: f64 = 0.0) {
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %x, %zero : f64
    %root = math.sqrt %x : f64
    %chosen = arith.select %positive, %root, %zero : f64
    cog.yield %chosen
  }
  // The start of a window, an element's divisor, and an operator that is a function.
  // CHECK:      cog.node @puts_right
  // CHECK:        [[FRONT:%.*]] = arith.cmpi ult, [[START:%.*]], [[ROOM:%.*]] : i64
  // CHECK:        [[FITS:%.*]] = arith.ori [[FRONT]], [[END:%.*]] : i1
  // CHECK:        scf.for
  // CHECK:          arith.select %special, %one, %divisor {cog.divisor} : i64
  // CHECK-NEXT:     arith.constant 0 : i64
  // CHECK-NEXT:     arith.cmpi eq, %divisor,
  // CHECK:        [[REST:%.*]] = func.call @remainder(%x, %x) {cog.operator = "remainder"} : (f64, f64) -> f64
  // CHECK-NEXT:   arith.cmpf uno, [[REST]], [[REST]] : f64
  cog.node @puts_right (%x: f64, %i: i64) params (%d: tensor<3xi64> = dense<1>) -> (sum: f64 = 0.0, quotients: tensor<3xi64> = dense<0>) {
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %wrapped = arith.addi %i, %c4 {cog.window = array<i64: 2, 4>} : i64
    %is_negative = arith.cmpi slt, %i, %c0 : i64
    %start = arith.select %is_negative, %wrapped, %i : i64
    %number = arith.sitofp %start : i64 to f64
    %quotients = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%d : tensor<3xi64>) outs(%d : tensor<3xi64>) {
    ^bb0(%divisor: i64, %before: i64):
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %shifted = arith.addi %divisor, %one : i64
      %special = arith.cmpi ult, %shifted, %two : i64
      %safe = arith.select %special, %one, %divisor {cog.divisor} : i64
      %quotient = arith.remsi %c4, %safe : i64
      linalg.yield %quotient : i64
    } -> tensor<3xi64>
    %rest = func.call @remainder(%x, %x) {cog.operator = "remainder"} : (f64, f64) -> f64
    %sum = arith.maximumf %rest, %number : f64
    cog.yield %sum, %quotients
  }
  // The right side of Python's `and` counts where the left side holds; that of np.logical_and always does.
  // CHECK:      cog.node @joins
  // CHECK:        [[TAKEN:%.*]] = arith.select %positive, %{{.*}}, %{{.*}} : i64
  // CHECK-NEXT:   %both = arith.andi %positive, %small {cog.short_circuit} : i1
  // CHECK-NEXT:   cog.yield %both checked([[TAKEN]])
  cog.node @joins (%x: f64) -> (value: i1 = false) {
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %x, %zero : f64
    %root = math.sqrt %x : f64
    %small = arith.cmpf olt, %root, %x : f64
    %both = arith.andi %positive, %small {cog.short_circuit} : i1
    cog.yield %both
  }
  // CHECK:      cog.node @negates
  // CHECK:        cog.yield %y
  // CHECK-NOT:    checked
  cog.node @negates (%x: f64) -> (value: f64 = 0.0) {
    %y = arith.negf %x : f64
    cog.yield %y
  }
}
