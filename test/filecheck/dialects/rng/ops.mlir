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
// CHECK-LABEL: func.func @keys(
func.func @keys(%seed: i64, %a: i64, %b: i64) -> !rng.state<mt19937> {
  // CHECK-NEXT: %r0 = rng.seed %seed, %a, %b : i64, i64, i64 -> !rng.state<mt19937>
  %r0 = rng.seed %seed, %a, %b : i64, i64, i64 -> !rng.state<mt19937>
  func.return %r0 : !rng.state<mt19937>
}
// CHECK-LABEL: func.func @words(
func.func @words(%r: !rng.state<philox4x32>) -> !rng.state<philox4x32> {
  // CHECK-NEXT: %key, %counter, %stream = rng.to_words %r : !rng.state<philox4x32>
  %key, %counter, %stream = rng.to_words %r : !rng.state<philox4x32>
  // CHECK-NEXT: %s = rng.from_words %key, %counter, %stream : !rng.state<philox4x32>
  %s = rng.from_words %key, %counter, %stream : !rng.state<philox4x32>
  func.return %s : !rng.state<philox4x32>
}
// CHECK: rng.stream @"a stream" mt19937 seed 42
rng.stream @"a stream" mt19937 seed 42
// CHECK-NEXT: rng.stream @fast philox4x32 seed 0
rng.stream @fast philox4x32 seed 0
// CHECK-NEXT: rng.stream @lanes xoshiro256 seed 3
rng.stream @lanes xoshiro256 seed 3
// CHECK-NEXT: rng.stream @whole philox4x64 state "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
rng.stream @whole philox4x64 state "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
