// A generator from which only normals are drawn becomes a presampled one; the function that seeds it keeps its source.
// RUN: cog-opt %s -p "presample-normals{enabled=true}" --split-input-file | filecheck %s

// CHECK: func.func @trial(%r: !rng.state<presampled>) -> (!rng.state<presampled>, f64) {
// CHECK:   %x, %next = rng.normal %r : !rng.state<presampled> -> f64
// CHECK: func.func private @replicate_streams(%seed: i64, %r: !rng.state<mt19937>) -> !rng.state<mt19937> {
func.func @trial(%r: !rng.state<mt19937>) -> (!rng.state<mt19937>, f64) {
  %x, %next = rng.normal %r : !rng.state<mt19937> -> f64
  func.return %next, %x : !rng.state<mt19937>, f64
}
func.func private @replicate_streams(%seed: i64, %r: !rng.state<mt19937>) -> !rng.state<mt19937> {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
  func.return %0 : !rng.state<mt19937>
}

// -----

// Uniforms take other words of the generator, so nothing changes.
// CHECK: func.func @trial(%r: !rng.state<mt19937>) -> (!rng.state<mt19937>, f64, f64) {
func.func @trial(%r: !rng.state<mt19937>) -> (!rng.state<mt19937>, f64, f64) {
  %x, %next = rng.normal %r : !rng.state<mt19937> -> f64
  %y, %last = rng.uniform %next : !rng.state<mt19937> -> f64
  func.return %last, %x, %y : !rng.state<mt19937>, f64, f64
}
