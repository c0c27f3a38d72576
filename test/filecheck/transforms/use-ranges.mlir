// Comparisons that are decided become constants, clips that change nothing go, and maxima say that they need no care.
// RUN: cog-opt %s -p use-ranges,cog-dce | filecheck %s
// RUN: cog-opt %s -p 'use-ranges{flags=false}' | filecheck %s --check-prefix=PLAIN

// exp of a number is never below 0; the maximum with -1 is the number itself.
// CHECK-LABEL: @decided
// CHECK:      %m = math.exp %s : f64
// CHECK-NEXT: %c = arith.constant false
// CHECK-NOT:  arith.maximumf
// CHECK:      func.return %c, %m : i1, f64
func.func @decided(%n: i64) -> (i1, f64) {
  %minus_one = arith.constant -1.0 : f64
  %s = arith.sitofp %n : i64 to f64
  %p = math.exp %s : f64
  %c = arith.cmpf ult, %p, %minus_one : f64
  %m = arith.maximumf %p, %minus_one : f64
  func.return %c, %m : i1, f64
}

// Of any number nothing is decided, as it can be NaN.
// CHECK-LABEL: @any
// CHECK:      %c = arith.cmpf ult, %p, %minus_one : f64
// CHECK-NEXT: %m = arith.maximumf %x, %minus_one fastmath<nsz> : f64
// PLAIN-LABEL: @any
// PLAIN:      %m = arith.maximumf %x, %minus_one : f64
func.func @any(%x: f64) -> (i1, f64) {
  %minus_one = arith.constant -1.0 : f64
  %p = math.exp %x : f64
  %c = arith.cmpf ult, %p, %minus_one : f64
  %m = arith.maximumf %x, %minus_one : f64
  func.return %c, %m : i1, f64
}

// A number is neither NaN nor -0.0; with 0.0 there is no zero of another sign.
// CHECK-LABEL: @flags
// CHECK: %m = arith.maximumf %s, %zero fastmath<nnan,nsz> : f64
// CHECK: %k = arith.maximumf %t, %zero fastmath<nnan> : f64
func.func @flags(%n: i64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %s = arith.sitofp %n : i64 to f64
  %m = arith.maximumf %s, %zero : f64
  %t = arith.negf %s : f64
  %k = arith.maximumf %t, %zero : f64
  func.return %m, %k : f64, f64
}

// A number from an integer is not NaN, however that is asked; of a root it has to be asked.
// CHECK-LABEL: @nan
// CHECK:      %a = arith.constant false
// CHECK-NEXT: %b = arith.constant false
// CHECK-NEXT: %c = arith.constant true
// CHECK-NEXT: %r = math.sqrt %s : f64
// CHECK-NEXT: %d = arith.cmpf uno, %r, %r : f64
func.func @nan(%n: i64) -> (i1, i1, i1, i1) {
  %s = arith.sitofp %n : i64 to f64
  %a = arith.cmpf uno, %s, %s : f64
  %b = arith.cmpf une, %s, %s : f64
  %c = arith.cmpf oeq, %s, %s : f64
  %r = math.sqrt %s : f64
  %d = arith.cmpf uno, %r, %r : f64
  func.return %a, %b, %c, %d : i1, i1, i1, i1
}
