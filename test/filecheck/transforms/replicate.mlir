// Streams of a replicate: each generator of a trial is seeded by (seed, generator, replicate), in a sweep by the point as well. The word of
// a generator of cogir's own is a hash of its path, that of another one is its number.
// RUN: cog-opt %s -p replicate{enabled=true} | filecheck %s
// RUN: cog-opt %s -p 'replicate{enabled=true points=true}' | filecheck %s --check-prefix=POINTS
// RUN: cog-opt %s -p 'replicate{enabled=true points=true common=true}' | filecheck %s --check-prefix=COMMON
// RUN: cog-opt %s -p 'replicate{enabled=true seeded=true}' | filecheck %s --check-prefix=SEEDED
// RUN: cog-opt %s -p replicate | filecheck %s --check-prefix=OFF

// CHECK-LABEL: func.func private @replicate_streams(%seed: i64, %replicate: i64, %noise:
// CHECK:         %[[FIRST:.*]] = arith.constant 7897212125919518118 : i64
// CHECK-NEXT:    rng.seed %seed, %[[FIRST]], %replicate : i64, i64, i64 -> !rng.state<xoshiro256>
// CHECK-NEXT:    %[[SECOND:.*]] = arith.constant 1 : i64
// CHECK-NEXT:    rng.seed %seed, %[[SECOND]], %replicate : i64, i64, i64 -> !rng.state<mt19937>

// POINTS: func.func private @replicate_streams(%seed: i64, %point: i64, %replicate: i64,
// POINTS: rng.seed %seed, %{{.*}}, %point, %replicate : i64, i64, i64, i64 -> !rng.state<xoshiro256>

// COMMON: func.func private @replicate_streams(%seed: i64, %point: i64, %replicate: i64,
// COMMON: rng.seed %seed, %{{.*}}, %replicate : i64, i64, i64 -> !rng.state<xoshiro256>

// SEEDED: func.func private @replicate_streams(
// SEEDED: rng.seed %{{.*}} : i64 -> !rng.state<xoshiro256>

// OFF-NOT: replicate_streams
builtin.module attributes {
  cog.layout = {
    slots = {"a/random:noise" = ["rng", 0 : i64, "xoshiro256"], "a/random:choice" = ["rng", 6 : i64, "mt19937"]},
    sizes = {rng = 633 : i64}, nodes = ["a"], generators = ["a/random:noise", "a/random:choice"], streams = [@noise, @choice],
    inputs = [], outputs = []
  },
  cog.defaults = {pf = dense<0.0> : tensor<1xf64>, pi = dense<0> : tensor<1xi64>}
} {
  func.func @trial(%sf: tensor<1xf64>, %noise: !rng.state<xoshiro256>, %choice: !rng.state<mt19937>) -> (tensor<1xf64>, !rng.state<xoshiro256>, !rng.state<mt19937>) {
    %x, %next = rng.normal %noise : !rng.state<xoshiro256> -> tensor<1xf64>
    func.return %x, %next, %choice : tensor<1xf64>, !rng.state<xoshiro256>, !rng.state<mt19937>
  }
}
