// A loop that carries nothing but a generator and a counter is most likely finished after one iteration, so a call makes one.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' | filecheck %s

// CHECK-LABEL:   @lanes_iterate(
// CHECK:           scf.if
// CHECK:             scf.for %lane
// CHECK:               rng.uniform
// CHECK-NOT:           rng.uniform
// CHECK-NOT:           arith.select
// CHECK:           } else {
// CHECK:             rng.uniform
// CHECK-NOT:         rng.uniform
// CHECK-LABEL:   @lanes_end(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %limit = tensor.extract %pi[%zero] : tensor<1xi64>
  %u, %r1, %count = scf.while (%r0 = %r, %n0 = %none) : (!rng.state<xoshiro256>, i64) -> (f64, !rng.state<xoshiro256>, i64) {
    %u1, %r2 = rng.uniform %r0 : !rng.state<xoshiro256> -> f64
    %n1 = arith.addi %n0, %one : i64
    %more = arith.cmpi slt, %n1, %limit : i64
    scf.condition(%more) %u1, %r2, %n1 : f64, !rng.state<xoshiro256>, i64
  } do {
  ^bb0(%u3: f64, %r3: !rng.state<xoshiro256>, %n3: i64):
    scf.yield %r3, %n3 : !rng.state<xoshiro256>, i64
  }
  %x = tensor.insert %u into %sf[%zero] : tensor<1xf64>
  func.return %x, %si, %r1, %x, %none : tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}
