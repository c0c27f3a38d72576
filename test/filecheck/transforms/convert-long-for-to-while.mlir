// A loop that may run for ever is one that a signal can stop; loops over arrays stay.
// RUN: cog-opt %s -p convert-long-for-to-while | filecheck %s

// The inner loop is over 2^15 iterations of two operations each, the block of the last turn may be shorter.
// CHECK-LABEL: @long
// CHECK: %[[BLOCK:.*]] = arith.constant 32768 : index
// CHECK: %{{.*}}, %[[SUM:.*]] = scf.while (%{{.*}} = %lower, %{{.*}} = %start) : (index, f64) -> (index, f64) {
// CHECK: %[[GO:.*]] = arith.cmpi slt, %{{.*}}, %upper : index
// CHECK: scf.condition(%[[GO]])
// CHECK: ^bb0(%[[FIRST:.*]]: index, %{{.*}}: f64):
// CHECK: %[[LEFT:.*]] = arith.subi %upper, %[[FIRST]] : index
// CHECK: %[[LENGTH:.*]] = arith.minui %[[LEFT]], %[[BLOCK]] : index
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %[[LENGTH]] overflow<nsw> : index
// CHECK: %[[INNER:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %step
// CHECK: arith.addf
// CHECK: scf.yield %[[END]], %[[INNER]]
// CHECK: attributes {cog.blocks}
// CHECK: func.return %[[SUM]]
func.func @long(%lower: index, %upper: index, %start: f64) -> f64 {
  %step = arith.constant 1 : index
  %sum = scf.for %i = %lower to %upper step %step iter_args(%x = %start) -> (f64) {
    %y = arith.addf %x, %x : f64
    scf.yield %y : f64
  }
  func.return %sum : f64
}

// 10,000 times 10,000 additions are too many at once; the inner loop alone is not.
// CHECK-LABEL: @nested
// CHECK: scf.while
// CHECK: scf.for
// CHECK-NOT: scf.while
// CHECK: func.return
func.func @nested(%start: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 10000 : index
  %sum = scf.for %i = %zero to %many step %one iter_args(%x = %start) -> (f64) {
    %inner = scf.for %j = %zero to %many step %one iter_args(%y = %x) -> (f64) {
      %z = arith.addf %y, %y : f64
      scf.yield %z : f64
    }
    scf.yield %inner : f64
  }
  func.return %sum : f64
}

// CHECK-LABEL: @short
// CHECK-NOT: scf.while
// CHECK: func.return
func.func @short(%v: tensor<100xf64>, %n: index, %start: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %hundred = arith.constant 100 : index
  %end = arith.minsi %n, %hundred : index
  %sum = scf.for %i = %zero to %end step %one iter_args(%x = %start) -> (f64) {
    %e = tensor.extract %v[%i] : tensor<100xf64>
    %y = arith.addf %x, %e : f64
    scf.yield %y : f64
  }
  func.return %sum : f64
}
