// The loop of a trial is taken apart, so that replicates go through it side by side; a generator that makes two normals at a time is asked
// whether it keeps one, once for all lanes.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' --split-input-file | filecheck %s
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' --split-input-file | cog-opt --from=machine --emit=loops --split-input-file | filecheck %s --check-prefix=LOOPS

// What stands before the loop is done for one lane, and what is the same in each turn; what the loop starts from and reads goes into tables.
// CHECK-LABEL:   @lanes_begin(%pf: tensor<2xf64>, %pi: tensor<1xi64>, %in: tensor<2xf64>, %sf: tensor<2xf64>, %si: tensor<1xi64>, %r: !rng.state<xoshiro256>, %lane: index, %moved: tensor<16xf64> {cog.updates = 0 : i64}, %x: tensor<2x16xf64> {cog.updates = 1 : i64}, %r1: tensor<6x16xi64> {cog.updates = 2 : i64})
// CHECK:           [[DRIVE:%.*]] = arith.addf
// CHECK:           [[MOVED:%.*]] = arith.mulf %{{.*}}, [[DRIVE]]
// CHECK:           tensor.insert [[MOVED]] into %moved[%lane]
// CHECK:           rng.to_words %r

// A turn: parameters are read, and what a bound means is found, once for all lanes. Two versions of the loop: in the second one no lane keeps a normal.
// CHECK-LABEL:   @lanes_iterate(%pf: tensor<2xf64>, %pi: tensor<1xi64>, %moved
// CHECK:           [[LIMIT:%.*]] = tensor.extract %pf[
// CHECK:           arith.cmpf uno, [[LIMIT]], [[LIMIT]]
// CHECK:           [[KEPT:%.*]] = scf.for
// CHECK:             arith.ori
// CHECK:           [[ANY:%.*]] = arith.cmpi ne, [[KEPT]]
// CHECK:           scf.if [[ANY]]
// CHECK:             scf.for %lane = %{{.*}} to %{{.*}} step
// CHECK:               tensor.extract %{{.*}}[%lane]
// CHECK-NOT:           func.call
// CHECK-NOT:           arith.mulf
// CHECK:               rng.normal
// CHECK-NOT:           linalg.generic
// CHECK-NOT:           arith.minimumf
// CHECK:               arith.cmpf olt, [[LIMIT]]
// CHECK:               arith.ori
// CHECK:               [[MORE:%.*]] = arith.cmpf olt
// The second turn, of which nothing is kept if the first one was the last.
// CHECK:               rng.normal
// CHECK:               arith.cmpf olt, [[LIMIT]]
// CHECK:               [[AGAIN:%.*]] = arith.cmpf olt
// CHECK:               arith.select [[MORE]]
// CHECK:               [[BOTH:%.*]] = arith.andi [[MORE]], [[AGAIN]]
// CHECK:               arith.xori [[BOTH]]
// CHECK:           } else {
// CHECK:             scf.for
// CHECK:               [[NONE:%.*]] = arith.constant 0 : i64
// CHECK:               rng.from_words %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, [[NONE]], %{{.*}} : !rng.state<xoshiro256>

// What stands after it, again for one lane; what it needs from before the loop is computed again.
// CHECK-LABEL:   @lanes_end(
// CHECK:           rng.from_words
// CHECK:           func.return

// A lane that is finished is served, the others wait; stopping is asked for in the entry, not in the loop over the lanes.
// LOOPS-LABEL:   @lanes_iterate(
// LOOPS-NOT:       cogir_stop_requested
// LOOPS:           func.return
// LOOPS-LABEL:   @replicates(
// LOOPS:           call @lanes_end(
// LOOPS:           call @replicate_streams(
// LOOPS:           call @lanes_begin(
// LOOPS:           call @lanes_iterate(
// LOOPS:           call @cogir_stop_requested(

func.func @trial(%pf: tensor<2xf64>, %pi: tensor<1xi64>, %in: tensor<2xf64>, %sf: tensor<2xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<2xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<2xf64>, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %fine = arith.constant 0 : i64
  %rate = tensor.extract %pf[%zero] : tensor<2xf64>
  %limit = tensor.extract %pf[%one] : tensor<2xf64>
  %a = tensor.extract %in[%zero] : tensor<2xf64>
  %b = tensor.extract %in[%one] : tensor<2xf64>
  %drive = arith.addf %a, %b : f64
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %r) : (tensor<2xf64>, !rng.state<xoshiro256>) -> (tensor<2xf64>, !rng.state<xoshiro256>) {
    %x1, %r1 = func.call @step(%x0, %rate, %limit, %drive, %r0) : (tensor<2xf64>, f64, f64, f64, !rng.state<xoshiro256>) -> (tensor<2xf64>, !rng.state<xoshiro256>)
    %first = tensor.extract %x1[%zero] : tensor<2xf64>
    %more = arith.cmpf olt, %first, %limit : f64
    scf.condition(%more) %x1, %r1 : tensor<2xf64>, !rng.state<xoshiro256>
  } do {
  ^bb0(%x2: tensor<2xf64>, %r2: !rng.state<xoshiro256>):
    scf.yield %x2, %r2 : tensor<2xf64>, !rng.state<xoshiro256>
  }
  func.return %x, %si, %r1, %x, %fine : tensor<2xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<2xf64>, i64
}
func.func private @step(%x: tensor<2xf64>, %rate: f64, %limit: f64, %drive: f64, %r: !rng.state<xoshiro256>) -> (tensor<2xf64>, !rng.state<xoshiro256>) {
  %zero = arith.constant 0 : index
  %n, %next = rng.normal %r : !rng.state<xoshiro256> -> f64
  %old = tensor.extract %x[%zero] : tensor<2xf64>
  %moved = arith.mulf %rate, %drive : f64
  %drift = arith.addf %old, %moved : f64
  %new = arith.addf %drift, %n : f64
  %bounded = arith.minimumf %new, %limit : f64
  %empty = tensor.empty() : tensor<2xf64>
  %filled = tensor.insert %bounded into %x[%zero] : tensor<2xf64>
  %x1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%filled : tensor<2xf64>) outs(%empty : tensor<2xf64>) {
  ^bb0(%one: f64, %unused: f64):
    %same = arith.addf %one, %one : f64
    linalg.yield %same : f64
  } -> tensor<2xf64>
  func.return %x1, %next : tensor<2xf64>, !rng.state<xoshiro256>
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}

// -----

// Draws that are loops stay out of the lanes: its trial is left as it is, and replicates run one after the other.
// CHECK-LABEL:   func.func @trial(%pf: tensor<1xf64>
// CHECK:           scf.while
// CHECK-NOT:     @lanes_iterate
// LOOPS:         @replicates(
// LOOPS:           call @replicate_streams(
// LOOPS:           call @trial(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<philox4x64> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<philox4x64>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %r) : (tensor<1xf64>, !rng.state<philox4x64>) -> (tensor<1xf64>, !rng.state<philox4x64>) {
    %n, %r2 = rng.normal %r0 : !rng.state<philox4x64> -> f64
    %x1 = tensor.insert %n into %x0[%zero] : tensor<1xf64>
    %more = arith.cmpf olt, %n, %limit : f64
    scf.condition(%more) %x1, %r2 : tensor<1xf64>, !rng.state<philox4x64>
  } do {
  ^bb0(%x2: tensor<1xf64>, %r2: !rng.state<philox4x64>):
    scf.yield %x2, %r2 : tensor<1xf64>, !rng.state<philox4x64>
  }
  func.return %x, %si, %r1, %x, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<philox4x64>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<philox4x64> {cog.updates = 0 : i64}) -> !rng.state<philox4x64> {
  %0 = rng.seed %seed : i64 -> !rng.state<philox4x64>
  func.return %0 : !rng.state<philox4x64>
}

// -----

// A module that is not made for replicates stays as it is, and gets the entry for runs.
// CHECK-LABEL:   func.func @trial(%pf: tensor<1xf64>
// CHECK:           scf.while
// CHECK-NOT:     @lanes_iterate
// LOOPS:         @run(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}) -> (tensor<1xf64>, tensor<1xi64>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %start = tensor.extract %in[%zero] : tensor<1xf64>
  %end = scf.while (%x0 = %start) : (f64) -> f64 {
    %x1 = arith.addf %x0, %x0 : f64
    %more = arith.cmpf olt, %x1, %limit : f64
    scf.condition(%more) %x1 : f64
  } do {
  ^bb0(%x2: f64):
    scf.yield %x2 : f64
  }
  %x = tensor.insert %end into %sf[%zero] : tensor<1xf64>
  func.return %x, %si, %x, %fine : tensor<1xf64>, tensor<1xi64>, tensor<1xf64>, i64
}
