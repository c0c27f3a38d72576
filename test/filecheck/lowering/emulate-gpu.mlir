// A kernel becomes a function for one thread, which stands before each barrier, and one that launches all threads of all blocks.
// RUN: cog-opt %s -p convert-to-llvm,emulate-gpu | filecheck %s

// CHECK-NOT:   llvm.nvvm
// CHECK:       llvm.func internal @swap.thread(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %[[SINCE:.*]]: i64) -> i64
// CHECK:         llvm.switch %[[SINCE]]
// CHECK-NOT:   llvm.nvvm
// CHECK:       llvm.func @swap.launch(
// CHECK-NOT:   llvm.nvvm
"memref.global"() <{sym_name = "shared", sym_visibility = "private", type = memref<64xf64, 3>, initial_value}> : () -> ()
func.func @swap(%m: memref<64xf64>) attributes {nvvm.kernel} {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %n = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %one = arith.constant 1 : index
  %s = "memref.get_global"() <{name = @shared}> : () -> memref<64xf64, 3>
  %x = memref.load %m[%t] : memref<64xf64>
  memref.store %x, %s[%t] : memref<64xf64, 3>
  "gpu.barrier"() : () -> ()
  %last = arith.subi %n, %one : index
  %place = arith.subi %last, %t : index
  %y = memref.load %s[%place] : memref<64xf64, 3>
  memref.store %y, %m[%t] : memref<64xf64>
  func.return
}
