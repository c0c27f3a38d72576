// States of generators are values: a draw gives numbers and the next state.
// RUN: cog-opt %s | cog-opt | filecheck %s
// RUN: cog-opt %s --print-op-generic | cog-opt | filecheck %s

// CHECK-LABEL: func.func @draws(%seed: i64, %n: i64) -> (f64, tensor<2x3xf64>, i64, !rng.state<philox4x64>) {
func.func @draws(%seed: i64, %n: i64) -> (f64, tensor<2x3xf64>, i64, !rng.state<philox4x64>) {
  // CHECK-NEXT: %r0 = rng.seed %seed : i64 -> !rng.state<philox4x64>
  %r0 = rng.seed %seed : i64 -> !rng.state<philox4x64>
  // CHECK-NEXT: %u, %r1 = rng.uniform %r0 : !rng.state<philox4x64> -> f64
  %u, %r1 = rng.uniform %r0 : !rng.state<philox4x64> -> f64
  // CHECK-NEXT: %v, %r2 = rng.normal %r1 : !rng.state<philox4x64> -> tensor<2x3xf64>
  %v, %r2 = rng.normal %r1 : !rng.state<philox4x64> -> tensor<2x3xf64>
  // CHECK-NEXT: %i, %r3 = rng.integer %r2 below %n : !rng.state<philox4x64> -> i64
  %i, %r3 = rng.integer %r2 below %n : !rng.state<philox4x64> -> i64
  func.return %u, %v, %i, %r3 : f64, tensor<2x3xf64>, i64, !rng.state<philox4x64>
}
// CHECK-LABEL: func.func @samples(
func.func @samples(%r0: !rng.state<xoshiro256>, %a: f64, %n: i64) -> (f64, tensor<2xi64>, !rng.state<xoshiro256>) {
  // CHECK-NEXT: %e, %r1 = rng.sample "exponential" %r0() : !rng.state<xoshiro256>, () -> f64
  %e, %r1 = rng.sample "exponential" %r0() : !rng.state<xoshiro256>, () -> f64
  // CHECK-NEXT: %g, %r2 = rng.sample "gamma" %r1(%a) : !rng.state<xoshiro256>, (f64) -> f64
  %g, %r2 = rng.sample "gamma" %r1(%a) : !rng.state<xoshiro256>, (f64) -> f64
  // CHECK-NEXT: %b, %r3 = rng.sample "binomial" %r2(%n, %a) : !rng.state<xoshiro256>, (i64, f64) -> tensor<2xi64>
  %b, %r3 = rng.sample "binomial" %r2(%n, %a) : !rng.state<xoshiro256>, (i64, f64) -> tensor<2xi64>
  func.return %g, %b, %r3 : f64, tensor<2xi64>, !rng.state<xoshiro256>
}
// CHECK-LABEL: func.func @keys(
func.func @keys(%seed: i64, %a: i64, %b: i64) -> !rng.state<mt19937> {
  // CHECK-NEXT: %r0 = rng.seed %seed, %a, %b : i64, i64, i64 -> !rng.state<mt19937>
  %r0 = rng.seed %seed, %a, %b : i64, i64, i64 -> !rng.state<mt19937>
  func.return %r0 : !rng.state<mt19937>
}
// CHECK-LABEL: func.func @words(
func.func @words(%r: !rng.state<xoshiro256>) -> !rng.state<xoshiro256> {
  // CHECK-NEXT: %s0, %s1, %s2, %s3, %has_gauss, %gauss = rng.to_words %r : !rng.state<xoshiro256>
  %s0, %s1, %s2, %s3, %has_gauss, %gauss = rng.to_words %r : !rng.state<xoshiro256>
  // CHECK-NEXT: %s = rng.from_words %s0, %s1, %s2, %s3, %has_gauss, %gauss : !rng.state<xoshiro256>
  %s = rng.from_words %s0, %s1, %s2, %s3, %has_gauss, %gauss : !rng.state<xoshiro256>
  func.return %s : !rng.state<xoshiro256>
}
// CHECK: rng.stream @"a stream" mt19937 seed 42
rng.stream @"a stream" mt19937 seed 42
// CHECK-NEXT: rng.stream @fast philox4x64 seed 0
rng.stream @fast philox4x64 seed 0
// CHECK-NEXT: rng.stream @lanes xoshiro256 seed 3
rng.stream @lanes xoshiro256 seed 3
// CHECK-NEXT: rng.stream @whole philox4x64 state "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
rng.stream @whole philox4x64 state "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
