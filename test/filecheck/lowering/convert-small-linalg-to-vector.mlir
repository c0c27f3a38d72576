// A logistic layer of three units is computed on one vector; the same layer of a search stays as it is, for its points go side by side.
// RUN: cog-opt %s -p convert-small-linalg-to-vector | filecheck %s

// CHECK:         func.func private @layer(%x: memref<3xf64>, %gain: f64, %y: memref<3xf64>) {
// CHECK-NEXT:      %one = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<3xf64>
// CHECK-NEXT:      %[[I:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[X:.*]] = memref.load %x[%[[I]]] : memref<3xf64>
// CHECK-NEXT:      vector.insert %[[X]], %[[ZERO]] [0] : f64 into vector<3xf64>
// CHECK:           %[[V:.*]] = vector.insert %{{.*}}, %{{.*}} [2] : f64 into vector<3xf64>
// CHECK-NEXT:      %[[G:.*]] = vector.broadcast %gain : f64 to vector<3xf64>
// CHECK-NEXT:      %a = arith.mulf %[[G]], %[[V]] : vector<3xf64>
// CHECK-NEXT:      %e = math.exp %a : vector<3xf64>
// CHECK-NEXT:      %[[ONE:.*]] = vector.broadcast %one : f64 to vector<3xf64>
// CHECK-NEXT:      %s = arith.addf %[[ONE]], %e : vector<3xf64>
// CHECK-NEXT:      %l = arith.divf %[[ONE]], %s : vector<3xf64>
// CHECK-NEXT:      %[[Y:.*]] = vector.extract %l[0] : f64 from vector<3xf64>
// CHECK-NEXT:      memref.store %[[Y]], %y[%[[I]]] : memref<3xf64>
// CHECK-NOT:       linalg
func.func private @layer(%x: memref<3xf64>, %gain: f64, %y: memref<3xf64>) {
  %one = arith.constant 1.0 : f64
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : memref<3xf64>) outs(%y : memref<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %a = arith.mulf %gain, %in : f64
    %e = math.exp %a : f64
    %s = arith.addf %one, %e : f64
    %l = arith.divf %one, %s : f64
    linalg.yield %l : f64
  }
  func.return
}

// CHECK:         func.func private @of_a_point(
// CHECK-NEXT:      linalg.generic
func.func private @of_a_point(%x: memref<3xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<3xf64>) {
  ^bb0(%in: f64):
    %l = math.exp %in : f64
    linalg.yield %l : f64
  }
  func.return
}

func.func @search(%x: memref<3xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    func.call @of_a_point(%x) : (memref<3xf64>) -> ()
  }
  func.return
}
