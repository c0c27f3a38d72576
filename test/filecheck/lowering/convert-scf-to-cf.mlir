// Structured control flow becomes blocks and branches; values that a region yields become block arguments.
// RUN: cog-opt %s -p convert-scf-to-cf,verify-ssa --split-input-file | filecheck %s

// A sum of squares: the head of the loop holds the index and the sum.
// CHECK-LABEL: @sum
func.func @sum(%m: memref<8xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: cf.br [[HEAD:\^bb[0-9]+]](%c0, %zero : index, f64)
  // CHECK-NEXT: [[HEAD]](%i: index, %s: f64):
  // CHECK-NEXT: [[IN:%.*]] = arith.cmpi slt, %i, %c8 : index
  // CHECK-NEXT: cf.cond_br [[IN]], [[BODY:\^bb[0-9]+]], [[END:\^bb[0-9]+]]
  // CHECK-NEXT: [[BODY]]:
  // CHECK: [[NEXT:%.*]] = arith.addi %i, %c1 : index
  // CHECK-NEXT: cf.br [[HEAD]]([[NEXT]], %t : index, f64) {cog.loop = {vectorize = false}}
  // CHECK-NEXT: [[END]]:
  // CHECK-NEXT: func.return %s : f64
  %total = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (f64) {
    %x = memref.load %m[%i] : memref<8xf64>
    %q = arith.mulf %x, %x : f64
    %t = arith.addf %s, %q : f64
    scf.yield %t : f64
  } {cog.loop = {vectorize = false}}
  func.return %total : f64
}

// -----

// A drift to a threshold: the region that decides is the head; what it passes on needs no block arguments.
// CHECK-LABEL: @drift
func.func @drift(%start: f64, %step: f64, %threshold: f64) -> f64 {
  // CHECK: cf.br [[HEAD:\^bb[0-9]+]](%start : f64)
  // CHECK-NEXT: [[HEAD]](%x: f64):
  // CHECK-NEXT: %more = arith.cmpf olt, %x, %threshold : f64
  // CHECK-NEXT: cf.cond_br %more, [[BODY:\^bb[0-9]+]], [[END:\^bb[0-9]+]]
  // CHECK-NEXT: [[BODY]]:
  // CHECK-NEXT: %moved = arith.addf %x, %step : f64
  // CHECK-NEXT: cf.br [[HEAD]](%moved : f64)
  // CHECK-NEXT: [[END]]:
  // CHECK-NEXT: func.return %x : f64
  %end = scf.while (%x = %start) : (f64) -> f64 {
    %more = arith.cmpf olt, %x, %threshold : f64
    scf.condition(%more) %x : f64
  } do {
  ^bb0(%y: f64):
    %moved = arith.addf %y, %step : f64
    scf.yield %moved : f64
  }
  func.return %end : f64
}

// -----

// CHECK-LABEL: @choose
func.func @choose(%c: i1, %k: index, %x: f64, %y: f64) -> f64 {
  // CHECK: cf.cond_br %c, [[THEN:\^bb[0-9]+]], [[ELSE:\^bb[0-9]+]]
  // CHECK-NEXT: [[THEN]]:
  // CHECK-NEXT: cf.br [[JOIN:\^bb[0-9]+]](%x : f64)
  // CHECK-NEXT: [[ELSE]]:
  // CHECK-NEXT: cf.br [[JOIN]](%y : f64)
  // CHECK-NEXT: [[JOIN]](%r: f64):
  %r = scf.if %c -> (f64) {
    scf.yield %x : f64
  } else {
    scf.yield %y : f64
  }
  // CHECK-NEXT: arith.index_cast %k : index to i64
  // CHECK-NEXT: cf.switch
  // CHECK-NEXT: default: [[DEFAULT:\^bb[0-9]+]],
  // CHECK-NEXT: 3: [[CASE:\^bb[0-9]+]]
  %s = scf.index_switch %k -> f64
  case 3 {
    scf.yield %r : f64
  }
  default {
    scf.yield %y : f64
  }
  func.return %s : f64
}

// -----

// Remainders of affine are never negative: the sign of the machine's remainder is corrected.
// CHECK-LABEL: @ring
func.func @ring(%m: memref<5xf64>, %x: f64) {
  // CHECK-NOT: affine.
  // CHECK: [[R:%.*]] = arith.remsi
  // CHECK-NEXT: [[NEGATIVE:%.*]] = arith.cmpi slt, [[R]],
  // CHECK-NEXT: [[CORRECTED:%.*]] = arith.addi [[R]],
  // CHECK-NEXT: [[PLACE:%.*]] = arith.select [[NEGATIVE]], [[CORRECTED]], [[R]] : index
  // CHECK-NEXT: memref.store %x, %m{{\[}}[[PLACE]]{{\]}} : memref<5xf64>
  affine.for %i = 0 to 9 {
    affine.store %x, %m[(%i - 7) mod 5] : memref<5xf64>
  }
  func.return
}
