// An optimizer multiplies by the reciprocal of the number of trials where that is a power of two, and divides elsewhere. What does more with
// the number than divide by it, and what is short, stays as it is.
// RUN: cog-opt %s -p use-reciprocals | filecheck %s

#along = affine_map<(i) -> (i)>
#number = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @optimize
// CHECK:         %[[BITS:.*]] = arith.bitcast %trials : f64 to i64
// CHECK-NEXT:    arith.andi %[[BITS]]
// CHECK:         arith.cmpf oge, %trials
// CHECK:         arith.cmpf ole, %trials
// CHECK-NEXT:    arith.andi
// CHECK-NEXT:    %[[IS_POWER:.*]] = arith.andi
// CHECK:         %[[RECIPROCAL:.*]] = arith.divf %{{.*}}, %trials : f64
// CHECK-NEXT:    scf.if %[[IS_POWER]] {
// CHECK-NEXT:      linalg.generic {{.*}} ins(%sum, %[[RECIPROCAL]] :
// CHECK:             arith.mulf %s, %n : f64
// CHECK:         } else {
// CHECK-NEXT:      linalg.generic {{.*}} ins(%sum, %trials :
// CHECK:             arith.divf
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @optimize(%pf: memref<100xf64>, %sum: memref<100xf64>, %few: memref<10xf64>, %trials: f64) {
  linalg.generic {indexing_maps = [#along, #number, #along], iterator_types = ["parallel"]}
      ins(%sum, %trials : memref<100xf64>, f64) outs(%pf : memref<100xf64>) {
  ^bb0(%s: f64, %n: f64, %w: f64):
    %mean = arith.divf %s, %n : f64
    %next = arith.subf %w, %mean : f64
    linalg.yield %next : f64
  }
  linalg.generic {indexing_maps = [#along, #number, #along], iterator_types = ["parallel"]}
      ins(%sum, %trials : memref<100xf64>, f64) outs(%pf : memref<100xf64>) {
  ^bb0(%s: f64, %n: f64, %w: f64):
    %mean = arith.divf %s, %n : f64
    %next = arith.addf %n, %mean : f64
    linalg.yield %next : f64
  }
  linalg.generic {indexing_maps = [#along, #number, #along], iterator_types = ["parallel"]}
      ins(%few, %trials : memref<10xf64>, f64) outs(%few : memref<10xf64>) {
  ^bb0(%s: f64, %n: f64, %w: f64):
    %mean = arith.divf %s, %n : f64
    linalg.yield %mean : f64
  }
  func.return
}

// CHECK-LABEL: func.func @other
// CHECK-NOT:     scf.if
func.func @other(%sum: memref<100xf64>, %trials: f64) {
  linalg.generic {indexing_maps = [#along, #number, #along], iterator_types = ["parallel"]}
      ins(%sum, %trials : memref<100xf64>, f64) outs(%sum : memref<100xf64>) {
  ^bb0(%s: f64, %n: f64, %w: f64):
    %mean = arith.divf %s, %n : f64
    linalg.yield %mean : f64
  }
  func.return
}
