// Ranges of values beside the operations that compute them: of elementary functions, conditions, draws and loops.
// RUN: cog-opt %s -p annotate-ranges | filecheck %s
// RUN: cog-opt %s -p 'annotate-ranges{sigmas=3.0}' | filecheck %s --check-prefix=SIGMAS

// CHECK-NOT: cog.draws_within
// SIGMAS: builtin.module attributes {cog.draws_within = "3 standard deviations"}

// CHECK-LABEL: @logistic
// CHECK:      %n = arith.negf %x : f64
// CHECK-NEXT: %p = math.exp %n {cog.ranges = ["[0.0, inf] or NaN"]} : f64
// CHECK-NEXT: %q = arith.addf %one, %p {cog.ranges = ["[1.0, inf] or NaN"]} : f64
// CHECK-NEXT: %r = arith.divf %one, %q {cog.ranges = ["[0.0, 1.0] or NaN"]} : f64
// CHECK-NEXT: %t = math.tanh %x {cog.ranges = ["[-1.0, 1.0] or NaN"]} : f64
func.func @logistic(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %n = arith.negf %x : f64
  %p = math.exp %n : f64
  %q = arith.addf %one, %p : f64
  %r = arith.divf %one, %q : f64
  %t = math.tanh %x : f64
  func.return %r, %t : f64, f64
}

// A condition is known in its branches; a number minus itself is zero, or NaN for infinities.
// CHECK-LABEL: @branches
// CHECK:      %a = scf.if %c -> (f64) {
// CHECK-NEXT:   %b = math.sqrt %x {cog.ranges = ["[0.0, inf] with -0.0"]} : f64
// CHECK:      }{{ ?}}{cog.ranges = ["[0.0, inf] with -0.0"]}
// CHECK:      %d = arith.subf %x, %x {cog.ranges = ["0.0 or NaN"]} : f64
func.func @branches(%x: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf oge, %x, %zero : f64
  %a = scf.if %c -> (f64) {
    %b = math.sqrt %x : f64
    scf.yield %b : f64
  } else {
    scf.yield %zero : f64
  }
  %d = arith.subf %x, %x : f64
  func.return %a, %d : f64, f64
}

// A draw is as large as its generator can make it.
// CHECK-LABEL: @draws
// CHECK:  %u, %s1 = rng.uniform %s {cog.ranges = ["[0.0, 0.9999999999999999]", "any"]}
// CHECK:  %n, %s2 = rng.normal %s1 {cog.ranges = ["[-8.57167434865{{[0-9]+}}, 8.57167434865{{[0-9]+}}]", "any"]}
// SIGMAS: %n, %s2 = rng.normal %s1 {cog.ranges = ["[-3.0, 3.0]", "any"]}
func.func @draws(%s: !rng.state<xoshiro256>) -> (f64, f64) {
  %u, %s1 = rng.uniform %s : !rng.state<xoshiro256> -> f64
  %n, %s2 = rng.normal %s1 : !rng.state<xoshiro256> -> f64
  func.return %u, %n : f64, f64
}

// A leaky integrator stays below its fixed point: x + (1 - x / 2) / 10, from 0, is at most 2.
// CHECK-LABEL: @leaky
// CHECK:      %h = arith.addf %x, %g {cog.ranges = ["[0.{{[0-9]+}}, 2.00000000{{[0-9]+}}]"]} : f64
func.func @leaky() -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %dt = arith.constant 0.1 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %r = scf.for %i = %c0 to %many step %c1 iter_args(%x = %zero) -> (f64) {
    %e = arith.mulf %half, %x : f64
    %f = arith.subf %one, %e : f64
    %g = arith.mulf %f, %dt : f64
    %h = arith.addf %x, %g : f64
    scf.yield %h : f64
  }
  func.return %r : f64
}

// A loop that ends when a sum of ten terms of 0.25 has reached 2: its condition is computed 8 times.
// CHECK-LABEL: @sum
// CHECK: cog.iterations = "8 to 8"
func.func @sum() -> f64 {
  %zero = arith.constant 0.0 : f64
  %step = arith.constant 0.25 : f64
  %end = arith.constant 2.0 : f64
  %r = scf.while (%x = %zero) : (f64) -> f64 {
    %y = arith.addf %x, %step : f64
    %c = arith.cmpf olt, %y, %end : f64
    scf.condition(%c) %y : f64
  } do {
  ^bb0(%z: f64):
    scf.yield %z : f64
  }
  func.return %r : f64
}
