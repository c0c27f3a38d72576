// Each value of a grid is computed once per combination of the axes that it depends on.
// RUN: cog-opt %s -p factor-grid,cog-dce --split-input-file | filecheck %s

// The inner axis alone: a table before the nest. A small array is kept component by component. What is carried stays where it is.
// CHECK-LABEL: @inner
// CHECK:       %e, %v = scf.for %j = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}}) -> (tensor<5xf64>, tensor<2x5xf64>)
// CHECK-NEXT:    tensor.extract %levels[%j]
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    linalg.generic
// CHECK:         tensor.insert %{{.*}} into %{{.*}}[%j] : tensor<5xf64>
// CHECK:         tensor.insert %{{.*}} into %{{.*}}[%{{.*}}, %j] : tensor<2x5xf64>
// CHECK:         tensor.insert %{{.*}} into %{{.*}}[%{{.*}}, %j] : tensor<2x5xf64>
// CHECK:       scf.for %i
// CHECK:         scf.for %j
// CHECK-NOT:       math.exp
// CHECK:           tensor.extract %e[%j
// CHECK:           tensor.extract %v[%{{.*}}, %j
// CHECK:           tensor.extract %v[%{{.*}}, %j
// CHECK-NEXT:      tensor.from_elements
// CHECK:           math.sin %best
func.func @inner(%levels: tensor<5xf64>, %x: tensor<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %out = tensor.empty() : tensor<2xf64>
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%best = %zero) -> (f64) {
    %inner = scf.for %j = %c0 to %c5 step %c1 iter_args(%best1 = %best) -> (f64) {
      %l = tensor.extract %levels[%j] : tensor<5xf64>
      %e = math.exp %l : f64
      %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%x : tensor<2xf64>) outs(%out : tensor<2xf64>) {
      ^bb0(%a: f64, %b: f64):
        %q = arith.divf %a, %l : f64
        linalg.yield %q : f64
      } -> tensor<2xf64>
      %first = tensor.extract %v[%c0] : tensor<2xf64>
      %tied = math.sin %best1 : f64
      %sum = arith.addf %e, %tied : f64
      %n = arith.index_cast %i : index to i64
      %f = arith.sitofp %n : i64 to f64
      %all = arith.addf %sum, %f : f64
      %same = func.call @length(%v) : (tensor<2xf64>) -> f64
      %more = arith.addf %all, %first : f64
      %most = arith.addf %more, %best1 : f64
      %use = func.call @both(%v, %f) : (tensor<2xf64>, f64) -> f64
      %end = arith.addf %most, %use : f64
      scf.yield %end : f64
    }
    scf.yield %inner : f64
  }
  func.return %result : f64
}
func.func private @length(%v: tensor<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %v[%c0] : tensor<2xf64>
  func.return %x : f64
}
func.func private @both(%v: tensor<2xf64>, %f: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %v[%c0] : tensor<2xf64>
  %y = arith.mulf %x, %f : f64
  func.return %y : f64
}

// -----

// Three axes. What depends on the first and the last stands in a table within the first; what depends on the last two in one of
// two axes before all. What depends on the first, or on the first two, has its place already.
// CHECK-LABEL: @three
// CHECK:       %jk = scf.for %j = {{.*}} -> (tensor<3x5xf64>)
// CHECK-NEXT:    scf.for %k = {{.*}} -> (tensor<3x5xf64>)
// CHECK:           func.call @g({{.*}}%j, %k)
// CHECK:           tensor.insert {{.*}}[%j, %k] : tensor<3x5xf64>
// CHECK:       scf.for %i
// CHECK:         %ik = scf.for %k{{.*}} -> (tensor<5xf64>)
// CHECK:           func.call @g(%i, %k
// CHECK:         scf.for %j
// CHECK:           %ij = func.call @g(%i, %j
// CHECK:           scf.for %k
// CHECK-NOT:         func.call
// CHECK:             tensor.extract %ik[%k
// CHECK:             tensor.extract %jk[%j{{.*}}, %k
func.func private @g(%a: index, %b: index) -> f64 {
  %n = arith.addi %a, %b : index
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %e = math.exp %f : f64
  func.return %e : f64
}
func.func @three() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %zero) -> (f64) {
    %second = scf.for %j = %c0 to %c3 step %c1 iter_args(%t1 = %t) -> (f64) {
      %ij = func.call @g(%i, %j) : (index, index) -> f64
      %third = scf.for %k = %c0 to %c5 step %c1 iter_args(%t2 = %t1) -> (f64) {
        %ik = func.call @g(%i, %k) : (index, index) -> f64
        %jk = func.call @g(%j, %k) : (index, index) -> f64
        %s = arith.addf %ij, %ik : f64
        %s1 = arith.addf %s, %jk : f64
        %s2 = arith.addf %s1, %t2 : f64
        scf.yield %s2 : f64
      }
      scf.yield %third : f64
    }
    scf.yield %second : f64
  }
  func.return %result : f64
}

// -----

// One addition is less work than a table, what might trap must not run elsewhere, and a table that is too large is none.
// CHECK-LABEL: @left
// CHECK-NOT:   tensor.empty
// CHECK:       scf.for %i
// CHECK-NEXT:    scf.for %j
// CHECK-NEXT:      tensor.extract
// CHECK-NEXT:      arith.addf
// CHECK:           arith.divsi
// CHECK:           math.exp
func.func @left(%levels: tensor<200000xf64>, %n: i64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 200000 : index
  %zero = arith.constant 0.0 : f64
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %zero) -> (f64) {
    %inner = scf.for %j = %c0 to %c5 step %c1 iter_args(%t1 = %t) -> (f64) {
      %l = tensor.extract %levels[%j] : tensor<200000xf64>
      %s = arith.addf %l, %l : f64
      %m = arith.index_cast %j : index to i64
      %d = arith.divsi %m, %n : i64
      %f = arith.sitofp %d : i64 to f64
      %e = math.exp %l : f64
      %1 = arith.addf %s, %f : f64
      %2 = arith.addf %1, %e : f64
      %3 = arith.addf %2, %t1 : f64
      scf.yield %3 : f64
    }
    scf.yield %inner : f64
  }
  func.return %result : f64
}
