// The kernel of a search: each thread searches its own points, a block chooses among its threads in a tree, and adds the result to its row.
// RUN: cog-opt %s -p outline-gpu | cog-opt --from=machine --kernels --emit=loops | filecheck %s
// RUN: cog-opt %s -p outline-gpu | cog-opt --from=machine --kernels --emit=llvm | cog-opt -p verify-nvptx,emulate-gpu | filecheck %s --check-prefix=EMULATED

// CHECK-LABEL: @search_0(
// CHECK-SAME:    %bests: memref<2048xf64{{.*}} %points: memref<2048xi64{{.*}} %levels: memref<{{.*}} %control: memref<16xi64>
// CHECK-SAME:    nvvm.kernel
// CHECK-DAG:     [[T:%.*]] = "gpu.thread_id"
// CHECK-DAG:     [[B:%.*]] = "gpu.block_id"
// CHECK:         %number = arith.addi
// CHECK:         %start = arith.addi %first, %number
// CHECK:         %stride = arith.muli
// CHECK:         [[BEST:%.*]], [[POINT:%.*]] = func.call @search_0_points(%start, %last, %stride, %levels)
// CHECK:         %shared = memref.get_global @search_0_shared_0 : memref<256xf64, 3 : i64>
// CHECK:         memref.store [[BEST]], %shared[[[T]]]
// Eight levels of the tree, and one more barrier before the first thread reads the result.
// CHECK-COUNT-9: "gpu.barrier"
// CHECK:         scf.if
// CHECK:           memref.load %bests[[[B]]]
// CHECK:           memref.store %{{.*}}, %bests[[[B]]]

// A thread is a function that goes on from barrier to barrier.
// EMULATED-NOT:  nvvm
// EMULATED:      llvm.mlir.global internal @search_0_shared_0(unit){{.*}} : !llvm.array<256 x f64>
// EMULATED:      llvm.func internal @search_0.thread(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: i64) -> i64
// EMULATED:        llvm.switch %{{.*}} : i64, ^bb{{.*}} [
// EMULATED:      llvm.func @search_0.launch(%{{.*}}: i64{{.*}}, %{{.*}}: i64{{.*}}, %{{.*}}: !llvm.ptr
func.func @trial(%levels: tensor<7xf64>) -> (f64, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 7 : index
  %start = arith.constant 0.0 : f64
  %best, %at = scf.for %i = %zero to %end step %one iter_args(%best1 = %start, %at1 = %zero) -> (f64, index) {
    %value = tensor.extract %levels[%i] : tensor<7xf64>
    %first = arith.cmpi eq, %i, %zero : index
    %less = arith.cmpf olt, %value, %best1 : f64
    %changes = arith.ori %first, %less : i1
    %best2 = arith.select %changes, %value, %best1 : f64
    %at2 = arith.select %changes, %i, %at1 : index
    scf.yield %best2, %at2 : f64, index
  } {cog.first_optimum = "minimize"}
  func.return %best, %at : f64, index
}
