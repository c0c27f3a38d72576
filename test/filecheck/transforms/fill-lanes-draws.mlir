// Arrays of up to 16 numbers are drawn number by number, so that no lane has a loop of its own; larger ones stay as they are, and a remark says so.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' --split-input-file | filecheck %s
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' --split-input-file --remarks -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK:      vectorised: 16 replicates go through the loop side by side [fill-lanes: passed]
// REMARK:      in 16 lanes, one after the other in each step unless LLVM unrolls this: a step draws 17 numbers at a time; draw up to 16 at a time [fill-lanes: missed]

// CHECK-LABEL:   @lanes_iterate(
// CHECK-SAME:      cog.over_lanes
// CHECK:             [[A:%.*]], [[S:%.*]] = rng.uniform %{{.*}} : !rng.state<xoshiro256> -> f64
// CHECK-NEXT:        [[B:%.*]], [[T:%.*]] = rng.uniform [[S]] : !rng.state<xoshiro256> -> f64
// CHECK-NEXT:        [[C:%.*]], [[U:%.*]] = rng.uniform [[T]] : !rng.state<xoshiro256> -> f64
// CHECK-NOT:         tensor<3xf64>
// CHECK-LABEL:   @lanes_end(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %none = arith.constant 0 : i64
  %limit = arith.constant 0.99 : f64
  %u, %r1 = scf.while (%r0 = %r) : (!rng.state<xoshiro256>) -> (f64, !rng.state<xoshiro256>) {
    %drawn, %r2 = rng.uniform %r0 : !rng.state<xoshiro256> -> tensor<3xf64>
    %first = tensor.extract %drawn[%zero] : tensor<3xf64>
    %last = tensor.extract %drawn[%two] : tensor<3xf64>
    %u1 = arith.mulf %first, %last : f64
    %more = arith.cmpf olt, %u1, %limit : f64
    scf.condition(%more) %u1, %r2 : f64, !rng.state<xoshiro256>
  } do {
  ^bb0(%u3: f64, %r3: !rng.state<xoshiro256>):
    scf.yield %r3 : !rng.state<xoshiro256>
  }
  %x = tensor.insert %u into %sf[%zero] : tensor<1xf64>
  func.return %x, %si, %r1, %x, %none : tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}

// -----

// CHECK-LABEL:   @lanes_iterate(
// CHECK:             rng.uniform %{{.*}} : !rng.state<xoshiro256> -> tensor<17xf64>
// CHECK-LABEL:   @lanes_end(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %limit = arith.constant 0.99 : f64
  %u, %r1 = scf.while (%r0 = %r) : (!rng.state<xoshiro256>) -> (f64, !rng.state<xoshiro256>) {
    %drawn, %r2 = rng.uniform %r0 : !rng.state<xoshiro256> -> tensor<17xf64>
    %u1 = tensor.extract %drawn[%zero] : tensor<17xf64>
    %more = arith.cmpf olt, %u1, %limit : f64
    scf.condition(%more) %u1, %r2 : f64, !rng.state<xoshiro256>
  } do {
  ^bb0(%u3: f64, %r3: !rng.state<xoshiro256>):
    scf.yield %r3 : !rng.state<xoshiro256>
  }
  %x = tensor.insert %u into %sf[%zero] : tensor<1xf64>
  func.return %x, %si, %r1, %x, %none : tensor<1xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}
