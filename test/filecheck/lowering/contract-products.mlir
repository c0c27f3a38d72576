// A model's products and sums may become one operation; those of the library keep every rounding.
// RUN: cog-opt %s -p contract-products | filecheck %s
// RUN: cog-opt %s -p contract-products | cog-translate --from=llvm --emit=ptx --arch=sm_90 | filecheck %s --check-prefix=PTX

// CHECK-LABEL: @model
// CHECK:         llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
// CHECK:         llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
// CHECK-LABEL: @cogir_exact
// CHECK-NOT:     contract
// PTX:         fma.rn.f64
// PTX-LABEL:   cogir_exact
// PTX:         mul.rn.f64
// PTX:         add.rn.f64
llvm.func @model(%x: f64, %y: f64) -> f64 {
  %p = llvm.fmul %x, %y : f64
  %s = llvm.fadd %p, %x : f64
  llvm.return %s : f64
}
llvm.func @cogir_exact(%x: f64, %y: f64) -> f64 {
  %p = llvm.fmul %x, %y : f64
  %s = llvm.fadd %p, %x : f64
  llvm.return %s : f64
}
