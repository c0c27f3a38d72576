// A bound that depends on the number of the iteration alone is looked up in a table: the loop over lanes that draws computes no `math.exp`.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' | filecheck %s
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' | cog-opt --from=machine --emit=llvm | filecheck %s --check-prefix=LLVM

// A lane begins with the entry 0, if it starts from the same time as the first one did and is undecided; else behind the table.
// CHECK-LABEL:   @lanes_begin(
// CHECK-SAME:      %index: tensor<16xi64> {{.*}}, %entry_count: tensor<1xi64> {{.*}}, %entries: tensor<1x65536xf64> {{.*}}, %found: tensor<2x16xf64>
// CHECK:           [[FAR:%.*]] = arith.constant 65536 : i64
// CHECK:           [[UNDECIDED:%.*]] = arith.cmpf oeq
// CHECK:           tensor.extract %entry_count[
// CHECK:           arith.bitcast
// CHECK:           tensor.insert %{{.*}} into %index[%lane]

// Entries are made as far as the lane that has made the most iterations needs them. All lanes compute their own where it is too far.
// CHECK-LABEL:   @lanes_iterate(
// CHECK:           [[TOP:%.*]] = scf.for
// CHECK:             arith.maxsi
// CHECK:           arith.cmpi sle, [[TOP]]
// CHECK:           scf.if
// CHECK:             scf.if
// CHECK:               scf.for
// CHECK:                 math.exp
// CHECK:             scf.for
// CHECK:               tensor.extract %{{.*}} : tensor<1x65536xf64>
// CHECK:               tensor.extract %{{.*}} : tensor<1x65536xf64>
// CHECK:           } else {
// CHECK:             scf.for
// CHECK:               math.exp
// CHECK:               math.exp
// CHECK:           scf.if
// CHECK:             scf.for %lane
// CHECK-NOT:           math.exp
// CHECK:               rng.normal
// CHECK-NOT:           math.exp
// CHECK-LABEL:   @lanes_end(
// LLVM-LABEL:    @replicates

func.func @trial(%pf: tensor<2xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<3xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<3xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<3xf64>, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %fine = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %step = tensor.extract %pf[%zero] : tensor<2xf64>
  %noise = tensor.extract %pf[%one] : tensor<2xf64>
  %x_start = tensor.extract %sf[%zero] : tensor<3xf64>
  %t_start = tensor.extract %sf[%one] : tensor<3xf64>
  %c_start = tensor.extract %sf[%two] : tensor<3xf64>
  %x, %t, %c, %r1 = scf.while (%x0 = %x_start, %t0 = %t_start, %c0 = %c_start, %r0 = %r)
      : (f64, f64, f64, !rng.state<xoshiro256>) -> (f64, f64, f64, !rng.state<xoshiro256>) {
    %undecided = arith.cmpf oeq, %c0, %none : f64
    %n, %r2 = rng.normal %r0 : !rng.state<xoshiro256> -> f64
    %moved = arith.mulf %n, %noise : f64
    %x1 = arith.addf %x0, %moved : f64
    %later = arith.addf %t0, %step : f64
    %t1 = arith.select %undecided, %later, %t0 : f64
    %back = arith.negf %t1 : f64
    %height = math.exp %back : f64
    %beyond = arith.cmpf oge, %x1, %height : f64
    %c1 = arith.select %beyond, %x1, %none : f64
    %more = arith.cmpf oeq, %c1, %none : f64
    scf.condition(%more) %x1, %t1, %c1, %r2 : f64, f64, f64, !rng.state<xoshiro256>
  } do {
  ^bb0(%x3: f64, %t3: f64, %c3: f64, %r3: !rng.state<xoshiro256>):
    scf.yield %x3, %t3, %c3, %r3 : f64, f64, f64, !rng.state<xoshiro256>
  }
  %out = tensor.from_elements %x, %t, %c : tensor<3xf64>
  func.return %out, %si, %r1, %out, %fine : tensor<3xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<3xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}
