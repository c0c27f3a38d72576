// What is wrong with generators is refused with its place and a remedy.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// There are four kinds.
// CHECK: .mlir:[[# @LINE + 1]]:15: error: there is no generator 'mt19938'; the kinds are mt19937, philox4x64, xoshiro256
rng.stream @s mt19938 seed 1

// -----

// CHECK: .mlir:[[# @LINE + 1]]:29: error: there is no generator 'xorshift'; the kinds are mt19937, philox4x64, xoshiro256
func.func @f(%s: !rng.state<xorshift>) {
  func.return
}

// -----

// A stream has a seed or a state, which fits its kind.
// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: give either a seed or a state
rng.stream @s mt19937

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: give either a seed or a state
rng.stream @s philox4x64 seed 1 state "AAAA"

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: the seed is -1; it must be at least 0
rng.stream @s mt19937 seed -1

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: the seed is 4294967296; mt19937 takes seeds below 2**32 (4294967296)
rng.stream @s mt19937 seed 4294967296

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: the state has 1 words, but philox4x64 has 13 words of 64 bits
rng.stream @s philox4x64 state "AAAAAAAAAAA="

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: the state is not base64 of 64-bit words (3 bytes are not a multiple of 8)
rng.stream @s philox4x64 state "AAAA"

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: rng.stream @s: the state is not base64 of 64-bit words (only base64 data is allowed)
rng.stream @s philox4x64 state "not base64"

// -----

// Draws give f64, or i64, from a state.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: a draw gives f64 or a tensor of f64
func.func @f(%s: !rng.state<mt19937>) {
  %v, %n = rng.normal %s : !rng.state<mt19937> -> f32
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: a draw is made from a state, !rng.state<...>
func.func @f(%s: f64) {
  %v, %n = rng.uniform %s : f64 -> f64
  func.return
}

// -----

// A generator starts from one seed, or from a seed and two more words, all of them integers.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: found 2 words to seed a generator; give one seed, or a seed and two or three more words
func.func @f(%s: i64) {
  %r = rng.seed %s, %s : i64, i64 -> !rng.state<mt19937>
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: found 0 words to seed a generator; give one seed, or a seed and two or three more words
func.func @f() {
  %r = "rng.seed"() : () -> !rng.state<mt19937>
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: Expected attribute i64 but got f64
func.func @f(%s: i64, %x: f64) {
  %r = rng.seed %s, %s, %x : i64, i64, f64 -> !rng.state<mt19937>
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: rng.from_words: found 2 words; a state of xoshiro256 has 6 words
func.func @f(%a: i64, %b: i64) {
  %r = rng.from_words %a, %b : !rng.state<xoshiro256>
  func.return
}

// -----

// Distributions are known by name, with the types of their parameters and of the number.
// CHECK: .mlir:[[# @LINE + 2]]:23: error: there is no distribution 'cauchy'; the distributions are exponential, gamma, beta, lognormal, binomial, poisson, geometric
func.func @f(%s: !rng.state<mt19937>) {
  %v, %n = rng.sample "cauchy" %s() : !rng.state<mt19937>, () -> f64
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: rng.sample: binomial takes (i64, f64), and found (f64, f64)
func.func @f(%s: !rng.state<mt19937>, %p: f64) {
  %v, %n = rng.sample "binomial" %s(%p, %p) : !rng.state<mt19937>, (f64, f64) -> i64
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: rng.sample: poisson gives i64 or a tensor of i64, not tensor<2xf64>
func.func @f(%s: !rng.state<mt19937>, %p: f64) {
  %v, %n = rng.sample "poisson" %s(%p) : !rng.state<mt19937>, (f64) -> tensor<2xf64>
  func.return
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: operand 'state' at position 0 does not verify: a draw is made from a state, !rng.state<...>
func.func @f(%p: f64) {
  %v, %n = rng.sample "poisson" %p(%p) : f64, (f64) -> i64
  func.return
}
