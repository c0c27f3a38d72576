// What does not depend on a loop leaves it, if it may run even when the loop has no turns.
// RUN: cog-opt %s -p cog-licm --split-input-file | filecheck %s

// A linalg.generic, an inner loop and a draw leave; what uses the index stays.
// CHECK-LABEL: @invariant
// CHECK: linalg.generic
// CHECK: rng.normal
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: scf.for
// CHECK-NEXT: tensor.extract
// CHECK-NOT: scf.for
// CHECK: func.return
func.func @invariant(%x: tensor<3xf64>, %r: !rng.state<mt19937>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %e = tensor.empty() : tensor<3xf64>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f64) {
    %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x : tensor<3xf64>) outs(%e : tensor<3xf64>) {
    ^bb0(%v: f64, %o: f64):
      %w = arith.addf %v, %v : f64
      linalg.yield %w : f64
    } -> tensor<3xf64>
    %n, %next = rng.normal %r : !rng.state<mt19937> -> f64
    %power = scf.for %j = %c0 to %c3 step %c1 iter_args(%p = %one) -> (f64) {
      %q = arith.mulf %p, %n : f64
      scf.yield %q : f64
    }
    %z = tensor.extract %y[%i] : tensor<3xf64>
    %t = arith.mulf %z, %power : f64
    %new = arith.addf %acc, %t : f64
    scf.yield %new : f64
  }
  func.return %sum : f64
}

// -----

func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  func.return %y : f64
}
func.func private @halve_until(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %r = scf.while (%v = %x) : (f64) -> f64 {
    %more = arith.cmpf ogt, %v, %one : f64
    scf.condition(%more) %v : f64
  } do {
  ^bb0(%w: f64):
    %h = arith.mulf %w, %half : f64
    scf.yield %h : f64
  }
  func.return %r : f64
}

// A pure call leaves a while loop too. A division that may trap stays, unless the divisor is a constant; so does a call that
// might run for ever.
// CHECK-LABEL: @speculation
// CHECK: %[[third:.*]] = arith.divsi %n, %{{.*}} : i64
// CHECK: func.call @square
// CHECK: scf.while
// CHECK: arith.divsi %n, %n
// CHECK: func.call @halve_until
func.func @speculation(%x: f64, %n: i64) -> f64 {
  %three = arith.constant 3 : i64
  %r = scf.while (%v = %x) : (f64) -> f64 {
    %third = arith.divsi %n, %three : i64
    %s = func.call @square(%x) : (f64) -> f64
    %f = arith.sitofp %third : i64 to f64
    %g = arith.addf %f, %s : f64
    %more = arith.cmpf olt, %v, %g : f64
    scf.condition(%more) %v : f64
  } do {
  ^bb0(%w: f64):
    %one = arith.divsi %n, %n : i64
    %i = arith.sitofp %one : i64 to f64
    %h = func.call @halve_until(%x) : (f64) -> f64
    %a = arith.addf %i, %h : f64
    %b = arith.addf %a, %w : f64
    scf.yield %b : f64
  }
  func.return %r : f64
}

// -----

// A part of a tensor leaves with what uses it, and not by itself.
// CHECK-LABEL: @parts
// CHECK: %first = tensor.extract_slice %x
// CHECK-NEXT: tensor.extract %first
// CHECK-NEXT: scf.for
// CHECK-NEXT: %second = tensor.extract_slice %x
// CHECK: func.return
func.func @parts(%x: tensor<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (f64) {
    %first = tensor.extract_slice %x[0] [2] [1] : tensor<4xf64> to tensor<2xf64>
    %a = tensor.extract %first[%c1] : tensor<2xf64>
    %second = tensor.extract_slice %x[2] [2] [1] : tensor<4xf64> to tensor<2xf64>
    %b = tensor.extract %second[%i] : tensor<2xf64>
    %ab = arith.addf %a, %b : f64
    %next = arith.addf %acc, %ab : f64
    scf.yield %next : f64
  }
  func.return %sum : f64
}
