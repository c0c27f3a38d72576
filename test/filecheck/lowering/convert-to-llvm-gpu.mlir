// Numbers of threads and blocks are special registers; shared memory is a variable of address space 3.
// RUN: cog-opt %s -p convert-to-llvm | filecheck %s
// RUN: cog-opt %s -p convert-to-llvm | cog-translate --from=llvm --emit=ptx --arch=sm_90 | filecheck %s --check-prefix=PTX

// CHECK:       llvm.mlir.global internal @shared() {{.*}}addr_space = 3 : i32{{.*}} : !llvm.array<256 x f64>
// CHECK:       llvm.func @reverse
// CHECK-DAG:     [[T:%.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
// CHECK-DAG:     [[N:%.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ntid.x"() : () -> i32
// CHECK:         [[G:%.*]] = llvm.mlir.addressof @shared : !llvm.ptr<3>
// CHECK-NEXT:    [[S:%.*]] = llvm.addrspacecast [[G]] : !llvm.ptr<3> to !llvm.ptr
// CHECK:         llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK:         llvm.load {{.*}} {volatile_}
// CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i64
// CHECK:         llvm.atomicrmw max

// PTX:         .visible .entry reverse(
// PTX:         .shared .align 64 .b8 shared[2048]
// PTX:         mov.u32 {{.*}}, %tid.x
// PTX:         st.shared.b64
// PTX:         bar.sync
// PTX:         ld.shared.b64
// PTX:         ld.volatile.global.b64
// PTX:         {{atom|red}}{{.*}}.add.u64
// PTX:         {{atom|red}}{{.*}}.max.s64
"memref.global"() <{sym_name = "shared", sym_visibility = "private", type = memref<256xf64, 3>, initial_value}> : () -> ()
func.func @reverse(%m: memref<256xf64> {llvm.noalias}, %control: memref<16xi64> {llvm.noalias}) attributes {nvvm.kernel} {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %n = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %i = arith.constant 1 : i64
  %s = "memref.get_global"() <{name = @shared}> : () -> memref<256xf64, 3>
  %x = memref.load %m[%t] : memref<256xf64>
  memref.store %x, %s[%t] : memref<256xf64, 3>
  "gpu.barrier"() : () -> ()
  %last = arith.subi %n, %one : index
  %place = arith.subi %last, %t : index
  %y = memref.load %s[%place] : memref<256xf64, 3>
  memref.store %y, %m[%t] : memref<256xf64>
  %flag = memref.load %control[%zero] {cog.volatile} : memref<16xi64>
  %a = "memref.atomic_rmw"(%i, %control, %one) <{kind = 1 : i64}> : (i64, memref<16xi64>, index) -> i64
  %b = "memref.atomic_rmw"(%flag, %control, %one) <{kind = 4 : i64}> : (i64, memref<16xi64>, index) -> i64
  func.return
}
