// A costly value that is used under a condition known ahead is computed only by blocks of lanes in one of which the condition holds in one
// of the next iterations.
// RUN: cog-opt %s -p 'fill-lanes{lanes=16}' | filecheck %s

// CHECK-LABEL:   @lanes_iterate(
// CHECK:           scf.if
// Lanes that keep a normal are all done as usual.
// CHECK:             scf.for %lane
// CHECK:               math.exp
// CHECK:           } else {
// CHECK:             [[EIGHT:%.*]] = arith.constant 8 : index
// CHECK:             scf.for [[FIRST:%.*]] = %{{.*}} to %{{.*}} step [[EIGHT]]
// The condition now, and after an iteration in which it has not held.
// CHECK:               [[ANY:%.*]] = scf.for
// CHECK:                 arith.addi [[FIRST]]
// CHECK:                 [[NOW:%.*]] = arith.cmpf olt, [[LEFT:%.*]], [[LIMIT:%.*]] : f64
// CHECK:                 [[LATER:%.*]] = arith.subf [[LEFT]],
// CHECK:                 arith.ori %{{.*}}, [[NOW]]
// CHECK:                 [[THEN:%.*]] = arith.cmpf olt, [[LATER]], [[LIMIT]] : f64
// CHECK:                 arith.ori %{{.*}}, [[THEN]]
// CHECK:               scf.if [[ANY]]
// CHECK:                 rng.normal
// CHECK:                 math.exp
// CHECK:               } else {
// CHECK:                 rng.normal
// CHECK-NOT:             math.exp
// CHECK:                 rng.normal
// CHECK-NOT:             math.exp
// CHECK-LABEL:   @lanes_end(

func.func @trial(%pf: tensor<2xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<2xf64> {cog.updates = 0 : i64},
    %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<xoshiro256> {cog.updates = 2 : i64})
    -> (tensor<2xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<2xf64>, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %fine = arith.constant 0 : i64
  %step = tensor.extract %pf[%zero] : tensor<2xf64>
  %limit = tensor.extract %pf[%one] : tensor<2xf64>
  %x_start = tensor.extract %sf[%zero] : tensor<2xf64>
  %t_start = tensor.extract %sf[%one] : tensor<2xf64>
  %x, %t, %r1 = scf.while (%x0 = %x_start, %t0 = %t_start, %r0 = %r) : (f64, f64, !rng.state<xoshiro256>) -> (f64, f64, !rng.state<xoshiro256>) {
    %n, %r2 = rng.normal %r0 : !rng.state<xoshiro256> -> f64
    %ends = arith.cmpf olt, %t0, %step : f64
    %long = math.exp %n : f64
    %now = arith.select %ends, %long, %t0 : f64
    %t1 = arith.subf %now, %step : f64
    %x1 = arith.addf %x0, %n : f64
    %more = arith.cmpf olt, %x1, %limit : f64
    scf.condition(%more) %x1, %t1, %r2 : f64, f64, !rng.state<xoshiro256>
  } do {
  ^bb0(%x3: f64, %t3: f64, %r3: !rng.state<xoshiro256>):
    scf.yield %x3, %t3, %r3 : f64, f64, !rng.state<xoshiro256>
  }
  %out = tensor.from_elements %x, %t : tensor<2xf64>
  func.return %out, %si, %r1, %out, %fine : tensor<2xf64>, tensor<1xi64>, !rng.state<xoshiro256>, tensor<2xf64>, i64
}
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r: !rng.state<xoshiro256> {cog.updates = 0 : i64}) -> !rng.state<xoshiro256> {
  %0 = rng.seed %seed : i64 -> !rng.state<xoshiro256>
  func.return %0 : !rng.state<xoshiro256>
}
