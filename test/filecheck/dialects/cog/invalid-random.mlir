// Generators of nodes, which start from streams of their kind.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 3]]:5: error: node @a has 1 generator, but yields none; yield one value for each
cog.model @m {
  cog.node @a (%x: f64) random(%r: !rng.state<mt19937> = @noise) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  // rng
}

// -----

// Generators start from streams of their kind.
// CHECK: .mlir:[[# @LINE + 2]]:25: error: a generator has type !rng.state<...>, not f64
cog.model @m {
  cog.node @a () random(%r: f64 = @noise) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: generator "r" starts from @noise, which is not an rng.stream of the module; add one at its end
cog.model @m {
  cog.node @a () random(%r: !rng.state<mt19937> = @noise) -> () {
    cog.yield random(%r)
  }
  }
cog.model @other {
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: generator "r" starts from @noize, which is not an rng.stream of the module; did you mean @noise?
cog.model @m {
  cog.node @a () random(%r: !rng.state<mt19937> = @noize) -> () {
    cog.yield random(%r)
  }
  }
rng.stream @noise mt19937 seed 1
cog.model @other {
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: generator "r" starts from @noise, which is of kind philox4x64, but has type !rng.state<mt19937>; make them the same kind
cog.model @m {
  cog.node @a () random(%r: !rng.state<mt19937> = @noise) -> () {
    cog.yield random(%r)
  }
  }
rng.stream @noise philox4x64 seed 1
cog.model @other {
}
