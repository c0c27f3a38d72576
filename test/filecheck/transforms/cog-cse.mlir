// Operations that compute the same become one: regions, draws and calls of pure functions too.
// RUN: cog-opt %s -p cog-cse --split-input-file | filecheck %s

// Two linalg.generics with equal bodies, the second one in a branch that the first dominates.
// CHECK-LABEL: @same_body
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: func.return
func.func @same_body(%x: tensor<2xf64>, %c: i1) -> (tensor<2xf64>, tensor<2xf64>) {
  %e = tensor.empty() : tensor<2xf64>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf64>) outs(%e : tensor<2xf64>) {
  ^bb0(%v: f64, %o: f64):
    %w = arith.mulf %v, %v : f64
    linalg.yield %w : f64
  } -> tensor<2xf64>
  %r = scf.if %c -> (tensor<2xf64>) {
    %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x : tensor<2xf64>) outs(%e : tensor<2xf64>) {
    ^bb0(%s: f64, %p: f64):
      %t = arith.mulf %s, %s : f64
      linalg.yield %t : f64
    } -> tensor<2xf64>
    scf.yield %b : tensor<2xf64>
  } else {
    scf.yield %x : tensor<2xf64>
  }
  func.return %a, %r : tensor<2xf64>, tensor<2xf64>
}

// -----

// Bodies that differ in one operation stay apart; so do branches, which do not dominate each other.
// CHECK-LABEL: @different
// CHECK-COUNT-2: arith.divf
// CHECK-NOT: arith.divf
func.func @different(%x: f64, %c: i1) -> f64 {
  %r = scf.if %c -> (f64) {
    %a = arith.divf %x, %x : f64
    scf.yield %a : f64
  } else {
    %b = arith.divf %x, %x : f64
    %d = arith.negf %b : f64
    scf.yield %d : f64
  }
  func.return %r : f64
}

// -----

// Two draws from one state see the same number; a draw from the next state does not.
// CHECK-LABEL: @draws
// CHECK: %[[a:.*]], %[[next:.*]] = rng.normal %r
// CHECK-NEXT: %[[c:.*]], %{{.*}} = rng.normal %[[next]]
// CHECK-NEXT: arith.addf %[[a]], %[[a]]
func.func @draws(%r: !rng.state<mt19937>) -> (f64, f64) {
  %a, %r1 = rng.normal %r : !rng.state<mt19937> -> f64
  %b, %r2 = rng.normal %r : !rng.state<mt19937> -> f64
  %c, %r3 = rng.normal %r1 : !rng.state<mt19937> -> f64
  %s = arith.addf %a, %b : f64
  func.return %s, %c : f64, f64
}

// -----

func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  func.return %y : f64
}
func.func private @bump(%m: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<1xf64>
  %y = arith.addf %x, %x : f64
  memref.store %y, %m[%c0] : memref<1xf64>
  func.return %y : f64
}

// Calls of a pure function merge; calls of one that writes do not.
// CHECK-LABEL: @calls
// CHECK-COUNT-1: func.call @square
// CHECK-NOT: func.call @square
// CHECK-COUNT-2: func.call @bump
func.func @calls(%x: f64, %m: memref<1xf64>) -> (f64, f64, f64, f64) {
  %a = func.call @square(%x) : (f64) -> f64
  %b = func.call @square(%x) : (f64) -> f64
  %c = func.call @bump(%m) : (memref<1xf64>) -> f64
  %d = func.call @bump(%m) : (memref<1xf64>) -> f64
  func.return %a, %b, %c, %d : f64, f64, f64, f64
}
