// A function without a body is bound to what the process has of that name, so only those of the runtime are allowed.
// RUN: cog-opt %s -p verify-declarations --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: func.func private @log(f64) -> f64 attributes {cog.libm}
func.func private @log(f64) -> f64 attributes {cog.libm}

// -----

// CHECK: verify-declarations: func.func @system has no body, and the runtime has no function of that name; give it a body
func.func private @system(i64) -> i64

// -----

// The mathematics of the C library has its own types.
// CHECK: verify-declarations: func.func @log has no body; give it one, or write the C function as: func.func private @log(f64) -> f64 attributes {cog.libm}
func.func private @log(i64) -> f64 attributes {cog.libm}
