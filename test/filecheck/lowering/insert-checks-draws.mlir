// A draw without a number for its parameters is a fault of its call, an integer below 0 and a seed out of range of their operations.
// RUN: cog-opt %s -p 'insert-checks{enabled=true}' | filecheck %s

// CHECK: {cog.checks = [["draw", "gamma", {{.*}}], ["draw", "poisson", {{.*}}], ["integer", "", {{.*}}], ["seed", "32", {{.*}}]]} {

// CHECK-NOT: _checked
func.func private @gamma(%shape: f64, %state: !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) {
  %value, %next = rng.sample "gamma" %state(%shape) : !rng.state<mt19937>, (f64) -> f64
  %root = math.sqrt %value : f64
  func.return %root, %next : f64, !rng.state<mt19937>
}

func.func private @poisson(%lam: f64, %state: !rng.state<mt19937>) -> (tensor<3xi64>, !rng.state<mt19937>) {
  %value, %next = rng.sample "poisson" %state(%lam) : !rng.state<mt19937>, (f64) -> tensor<3xi64>
  func.return %value, %next : tensor<3xi64>, !rng.state<mt19937>
}

rng.stream @s mt19937 seed 3

cog.model @m {
  // A NaN, unless the parameter is one. Whole numbers have -1 in its place, also as elements.
  // CHECK:      cog.node @draws
  // CHECK:        %value, %s1 = func.call @gamma(%x, %s0) {cog.draw = "gamma"}
  // CHECK:        [[IS_NAN:%.*]] = arith.cmpf uno, %value, %value : f64
  // CHECK:        [[OF_NAN:%.*]] = arith.cmpf uno, %x, %x : f64
  // CHECK-NEXT:   [[OF_NUMBER:%.*]] = arith.xori [[OF_NAN]],
  // CHECK-NEXT:   arith.andi [[IS_NAN]], [[OF_NUMBER]] : i1
  // CHECK:        %count, %s2 = func.call @poisson(%x, %s1) {cog.draw = "poisson"}
  // CHECK:        scf.for
  // CHECK:          arith.constant -1 : i64
  // CHECK-NEXT:     arith.cmpi eq,
  // CHECK:        %below, %s3 = rng.integer %s2 below %n
  // CHECK:        arith.cmpi slt, %n,
  // CHECK:        %s4 = rng.seed %n
  // CHECK:        arith.shrui %n,
  // CHECK:        cog.yield %value, %count, %below random(%s4) checked(
  cog.node @draws (%x: f64, %n: i64) random (%s0: !rng.state<mt19937> = @s)
      -> (value: f64 = 0.0, count: tensor<3xi64> = dense<0>, below: i64 = 0) {
    %value, %s1 = func.call @gamma(%x, %s0) {cog.draw = "gamma"} : (f64, !rng.state<mt19937>) -> (f64, !rng.state<mt19937>)
    %count, %s2 = func.call @poisson(%x, %s1) {cog.draw = "poisson"} : (f64, !rng.state<mt19937>) -> (tensor<3xi64>, !rng.state<mt19937>)
    %below, %s3 = rng.integer %s2 below %n : !rng.state<mt19937> -> i64
    %s4 = rng.seed %n : i64 -> !rng.state<mt19937>
    cog.yield %value, %count, %below random(%s4)
  }
}
