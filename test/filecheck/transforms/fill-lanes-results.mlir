// What the loop returns beside what it carries: a comparison that follows from the last value is made after the loop, for one lane; what
// follows from a draw is kept by the lanes.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' | filecheck %s

// CHECK-LABEL:   @lanes_iterate(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %x: tensor<16xf64> {cog.updates = 0 : i64}, %r1: tensor<6x16xi64> {cog.updates = 1 : i64}, %drew: tensor<16xi64> {cog.updates = 2 : i64}, %finished
// CHECK-LABEL:   @lanes_end(
// CHECK:           [[LIMIT:%.*]] = tensor.extract %pf[
// CHECK:           [[X:%.*]] = tensor.extract %x[%lane]
// CHECK:           [[DREW:%.*]] = arith.trunci
// CHECK:           [[SIZE:%.*]] = math.absf [[X]]
// CHECK:           [[BEYOND:%.*]] = arith.cmpf oge, [[SIZE]], [[LIMIT]]
// CHECK:           arith.andi [[BEYOND]], [[DREW]] : i1

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %start = tensor.extract %in[%zero] : tensor<1xf64>
  %x, %r1, %beyond, %drew = scf.while (%x0 = %start, %r0 = %r) : (f64, !rng.state<xoshiro256>) -> (f64, !rng.state<xoshiro256>, i1, i1) {
    %n, %r2 = rng.normal %r0 : !rng.state<xoshiro256> -> f64
    %x1 = arith.addf %x0, %n : f64
    %size = math.absf %x1 : f64
    %beyond1 = arith.cmpf oge, %size, %limit : f64
    %drew1 = arith.cmpf ogt, %n, %none : f64
    %more = arith.cmpf olt, %size, %limit : f64
    scf.condition(%more) %x1, %r2, %beyond1, %drew1 : f64, !rng.state<xoshiro256>, i1, i1
  } do {
  ^bb0(%x2: f64, %r2: !rng.state<xoshiro256>, %beyond2: i1, %drew2: i1):
    scf.yield %x2, %r2 : f64, !rng.state<xoshiro256>
  }
  %both = arith.andi %beyond, %drew : i1
  %flag = arith.extui %both : i1 to i64
  %after = tensor.insert %flag into %si[%zero] : tensor<1xi64>
  %next = tensor.insert %x into %sf[%zero] : tensor<1xf64>
  func.return %next, %after, %r1, %next, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}
