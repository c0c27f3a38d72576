// Normals of mt19937 are drawn before lanes use them, where a trial draws nothing else from it.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' --split-input-file | filecheck %s
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' --split-input-file | cog-opt --from=machine --emit=loops --split-input-file | filecheck %s --check-prefix=LOOPS

// CHECK-LABEL:   func.func private @replicate_streams(
// CHECK:           rng.seed %seed : i64 -> !rng.state<mt19937>
// CHECK-LABEL:   func.func private @lanes_begin(
// CHECK-SAME:      !rng.state<presampled>
// CHECK-LABEL:   func.func private @lanes_iterate(
// CHECK-SAME:      cog.normals = array<i64: 2, 0>
// CHECK-SAME:      cog.presampled = array<i64: {{[0-9]+}}, 0>
// CHECK:           rng.normal %{{.*}} : !rng.state<presampled> -> f64

// The streams of 32 replicates are seeded at once; a lane draws when its trial begins, and after some calls of its loop.
// LOOPS-LABEL:   func.func @replicates(
// LOOPS:           func.call @cogir_rng_mt19937_streams(
// LOOPS:           func.call @cogir_rng_ahead_chunk(
// LOOPS:           func.call @lanes_begin(
// LOOPS:           func.call @lanes_iterate(
// LOOPS:           func.call @cogir_rng_ahead_chunk(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<mt19937> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %r) : (tensor<1xf64>, !rng.state<mt19937>) -> (tensor<1xf64>, !rng.state<mt19937>) {
    %n, %r2 = rng.normal %r0 : !rng.state<mt19937> -> f64
    %x1 = tensor.insert %n into %x0[%zero] : tensor<1xf64>
    %more = arith.cmpf olt, %n, %limit : f64
    scf.condition(%more) %x1, %r2 : tensor<1xf64>, !rng.state<mt19937>
  } do {
  ^bb0(%x2: tensor<1xf64>, %r2: !rng.state<mt19937>):
    scf.yield %x2, %r2 : tensor<1xf64>, !rng.state<mt19937>
  }
  func.return %x, %si, %r1, %x, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<mt19937> {cog.updates = 0 : i64}) -> !rng.state<mt19937> {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
  func.return %0 : !rng.state<mt19937>
}

// -----

// Uniforms take other words of the generator, so its draws stay loops, and the trial as it is.
// CHECK-LABEL:   func.func @trial(
// CHECK:           rng.uniform %{{.*}} : !rng.state<mt19937> -> f64
// CHECK-NOT:     @lanes_iterate
// LOOPS-LABEL:   func.func @replicates(
// LOOPS:           func.call @trial(

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<mt19937> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %r) : (tensor<1xf64>, !rng.state<mt19937>) -> (tensor<1xf64>, !rng.state<mt19937>) {
    %n, %r2 = rng.uniform %r0 : !rng.state<mt19937> -> f64
    %x1 = tensor.insert %n into %x0[%zero] : tensor<1xf64>
    %more = arith.cmpf olt, %n, %limit : f64
    scf.condition(%more) %x1, %r2 : tensor<1xf64>, !rng.state<mt19937>
  } do {
  ^bb0(%x2: tensor<1xf64>, %r2: !rng.state<mt19937>):
    scf.yield %x2, %r2 : tensor<1xf64>, !rng.state<mt19937>
  }
  func.return %x, %si, %r1, %x, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<mt19937> {cog.updates = 0 : i64}) -> !rng.state<mt19937> {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
  func.return %0 : !rng.state<mt19937>
}

// -----

// The state that the loop gives is another one than it carries on: two tables of one generator.
// CHECK-LABEL:   func.func private @lanes_iterate(
// CHECK-SAME:      cog.presampled = array<i64: {{[0-9]+}}, 0, {{[0-9]+}}, 0>

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<mt19937> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %r) : (tensor<1xf64>, !rng.state<mt19937>) -> (tensor<1xf64>, !rng.state<mt19937>) {
    %x1 = tensor.extract %x0[%zero] : tensor<1xf64>
    %more = arith.cmpf olt, %x1, %limit : f64
    scf.condition(%more) %x0, %r0 : tensor<1xf64>, !rng.state<mt19937>
  } do {
  ^bb0(%x2: tensor<1xf64>, %r2: !rng.state<mt19937>):
    %n, %r3 = rng.normal %r2 : !rng.state<mt19937> -> f64
    %x3 = tensor.extract %x2[%zero] : tensor<1xf64>
    %sum = arith.addf %x3, %n : f64
    %x4 = tensor.insert %sum into %x2[%zero] : tensor<1xf64>
    scf.yield %x4, %r3 : tensor<1xf64>, !rng.state<mt19937>
  }
  func.return %x, %si, %r1, %x, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<mt19937> {cog.updates = 0 : i64}) -> !rng.state<mt19937> {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
  func.return %0 : !rng.state<mt19937>
}

// -----

// What is drawn before the loop and read after it would be drawn again there, from normals that have been moved: no lanes.
// CHECK-LABEL:   func.func @trial(
// CHECK:           rng.normal %{{.*}} : !rng.state<mt19937> -> f64
// CHECK-NOT:     @lanes_iterate

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<mt19937> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %first, %ra = rng.normal %r : !rng.state<mt19937> -> f64
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %ra) : (tensor<1xf64>, !rng.state<mt19937>) -> (tensor<1xf64>, !rng.state<mt19937>) {
    %n, %r2 = rng.normal %r0 : !rng.state<mt19937> -> f64
    %x1 = tensor.insert %n into %x0[%zero] : tensor<1xf64>
    %more = arith.cmpf olt, %n, %limit : f64
    scf.condition(%more) %x1, %r2 : tensor<1xf64>, !rng.state<mt19937>
  } do {
  ^bb0(%x2: tensor<1xf64>, %r2: !rng.state<mt19937>):
    scf.yield %x2, %r2 : tensor<1xf64>, !rng.state<mt19937>
  }
  %out = tensor.insert %first into %x[%zero] : tensor<1xf64>
  func.return %x, %si, %r1, %out, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<mt19937> {cog.updates = 0 : i64}) -> !rng.state<mt19937> {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
  func.return %0 : !rng.state<mt19937>
}

// -----

// A state from before the loop is read after it, when its normals have been moved: no lanes.
// CHECK-LABEL:   func.func @trial(
// CHECK:           rng.normal %{{.*}} : !rng.state<mt19937> -> f64
// CHECK-NOT:     @lanes_iterate

func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<1xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<mt19937> {cog.updates = 2 : i64})
    -> (tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64) {
  %zero = arith.constant 0 : index
  %fine = arith.constant 0 : i64
  %limit = tensor.extract %pf[%zero] : tensor<1xf64>
  %x, %r1 = scf.while (%x0 = %sf, %r0 = %r) : (tensor<1xf64>, !rng.state<mt19937>) -> (tensor<1xf64>, !rng.state<mt19937>) {
    %n, %r2 = rng.normal %r0 : !rng.state<mt19937> -> f64
    %x1 = tensor.insert %n into %x0[%zero] : tensor<1xf64>
    %more = arith.cmpf olt, %n, %limit : f64
    scf.condition(%more) %x1, %r2 : tensor<1xf64>, !rng.state<mt19937>
  } do {
  ^bb0(%x2: tensor<1xf64>, %r2: !rng.state<mt19937>):
    scf.yield %x2, %r2 : tensor<1xf64>, !rng.state<mt19937>
  }
  %first, %ra = rng.normal %r : !rng.state<mt19937> -> f64
  %out = tensor.insert %first into %x[%zero] : tensor<1xf64>
  func.return %x, %si, %r1, %out, %fine : tensor<1xf64>, tensor<1xi64>, !rng.state<mt19937>, tensor<1xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<mt19937> {cog.updates = 0 : i64}) -> !rng.state<mt19937> {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
  func.return %0 : !rng.state<mt19937>
}
