// One equation as LLVM IR, and as a kernel for a GPU; no sum and product becomes one operation.
// RUN: cog-translate %s --from=loops --emit=llvm-ir | filecheck %s --check-prefix=IR
// RUN: cog-translate %s --from=loops --emit=ptx --arch=sm_90 | filecheck %s --check-prefix=PTX

// IR: define ptx_kernel void @accumulate(
// IR: fmul double
// IR: fadd double
// PTX: .target sm_90
// PTX: .visible .entry accumulate(
// PTX: mul.rn.f64
// PTX: add.rn.f64
func.func @accumulate(%x: memref<4xf64> {llvm.noalias}, %drift: f64, %dt: f64) attributes {nvvm.kernel} {
  affine.for %i = 0 to 4 {
    %old = affine.load %x[%i] : memref<4xf64>
    %step = arith.mulf %drift, %dt : f64
    %new = arith.addf %old, %step : f64
    affine.store %new, %x[%i] : memref<4xf64>
  }
  func.return
}
