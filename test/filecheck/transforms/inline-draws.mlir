// A function that draws is opened in a loop that starts each turn with the same generator state; then the draw can leave it.
// RUN: cog-opt %s -p inline-draws | filecheck %s --check-prefixes=CHECK,OPENED
// RUN: cog-opt %s -p inline-draws,cog-licm | filecheck %s --check-prefixes=CHECK,HOISTED

func.func private @distort(%x: f64, %sd: f64, %r: !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) {
  %n, %next = rng.normal %r : !rng.state<mt19937> -> f64
  %noise = arith.mulf %sd, %n : f64
  %y = arith.addf %x, %noise : f64
  func.return %y, %next : f64, !rng.state<mt19937>
}

// CHECK-LABEL: @search
// OPENED: scf.for
// OPENED-NEXT: arith.index_cast
// OPENED-NEXT: arith.sitofp
// OPENED-NEXT: rng.normal %r
// HOISTED: rng.normal %r
// HOISTED-NEXT: scf.for
// HOISTED-NOT: rng.normal
func.func @search(%x: f64, %r: !rng.state<mt19937>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %x) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %sd = arith.sitofp %k : i64 to f64
    %y, %next = func.call @distort(%x, %sd, %r) : (f64, f64, !rng.state<mt19937>) -> (f64, !rng.state<mt19937>)
    %new = arith.addf %acc, %y : f64
    scf.yield %new : f64
  }
  func.return %sum : f64
}

// A state that every turn hands on is drawn from in its turn.
// CHECK-LABEL: @walk
// CHECK: scf.for
// CHECK: func.call @distort
func.func @walk(%x: f64, %r: !rng.state<mt19937>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %sum, %end = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %x, %state = %r) -> (f64, !rng.state<mt19937>) {
    %y, %next = func.call @distort(%acc, %x, %state) : (f64, f64, !rng.state<mt19937>) -> (f64, !rng.state<mt19937>)
    scf.yield %y, %next : f64, !rng.state<mt19937>
  }
  func.return %sum : f64
}
