// Of the state only that is written on which a result depends, now or later; the rest becomes dead code.
// RUN: cog-opt %s -p 'forget-unread{enabled=true},cog-dce' | filecheck %s
// RUN: cog-opt %s -p forget-unread,cog-dce | filecheck %s --check-prefix=OFF

builtin.module attributes {
  cog.layout = {
    slots = {
      "a/port:value" = ["sf", 0 : i64, f64], "total/state:x" = ["sf", 1 : i64, f64], "dead/port:value" = ["sf", 2 : i64, f64],
      "dead/state:total" = ["sf", 3 : i64, f64], "control/signal:gain" = ["sf", 4 : i64, f64],
      "a/random:r" = ["rng", 0 : i64, !rng.state<xoshiro256>], "dead/random:r" = ["rng", 4 : i64, !rng.state<xoshiro256>]
    },
    sizes = {pf = 0 : i64, pi = 0 : i64, sf = 5 : i64, si = 0 : i64, rng = 8 : i64, in = 1 : i64, out = 1 : i64},
    nodes = [], generators = ["a/random:r", "dead/random:r"], streams = [@one, @other], inputs = [], outputs = []
  },
  cog.defaults = {pf = dense<0.0> : tensor<1xf64>, pi = dense<0> : tensor<1xi64>}
} {
  // A noisy input adds up to the result; a dead node adds it up, too, with noise of its own.
  // CHECK-LABEL: @trial
  // CHECK-COUNT-1: rng.normal
  // CHECK-NOT: rng.normal
  // CHECK: %sf2 = tensor.insert %total into %sf[%c1]
  // CHECK-NEXT: %sf5 = tensor.insert %gain into %sf2[%c4]
  // CHECK-NOT: tensor.insert %
  // CHECK: func.return %sf5, %si, %r1, %s, %out, %ok
  // CHECK: cog.forgotten = ["a/port:value", "dead/port:value", "dead/state:total", "dead/random:r"]
  // OFF-LABEL: @trial
  // OFF: func.return %sf5, %si, %r1, %s1, %out, %ok
  // OFF-NOT: cog.forgotten
  func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %sf: tensor<5xf64>, %si: tensor<1xi64>,
                   %r: !rng.state<xoshiro256>, %s: !rng.state<xoshiro256>)
      -> (tensor<5xf64>, tensor<1xi64>, !rng.state<xoshiro256>, !rng.state<xoshiro256>, tensor<1xf64>, i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %ok = arith.constant 0 : i64
    %x = tensor.extract %in[%c0] : tensor<1xf64>
    %noise, %r1 = rng.normal %r : !rng.state<xoshiro256> -> f64
    %a = arith.addf %x, %noise : f64
    %before = tensor.extract %sf[%c1] : tensor<5xf64>
    %total = arith.addf %before, %a : f64
    %other, %s1 = rng.normal %s : !rng.state<xoshiro256> -> f64
    %d0 = tensor.extract %sf[%c3] : tensor<5xf64>
    %d1 = arith.addf %d0, %a : f64
    %d2 = arith.addf %d1, %other : f64
    %gain = arith.mulf %a, %a : f64
    %sf1 = tensor.insert %a into %sf[%c0] : tensor<5xf64>
    %sf2 = tensor.insert %total into %sf1[%c1] : tensor<5xf64>
    %sf3 = tensor.insert %d1 into %sf2[%c2] : tensor<5xf64>
    %sf4 = tensor.insert %d2 into %sf3[%c3] : tensor<5xf64>
    %sf5 = tensor.insert %gain into %sf4[%c4] : tensor<5xf64>
    %out = tensor.from_elements %total : tensor<1xf64>
    func.return %sf5, %si, %r1, %s1, %out, %ok
        : tensor<5xf64>, tensor<1xi64>, !rng.state<xoshiro256>, !rng.state<xoshiro256>, tensor<1xf64>, i64
  }
}
