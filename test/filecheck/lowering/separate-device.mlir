// The functions of a GPU, and those of the host, from one module.
// RUN: cog-opt %s -p separate-device | filecheck %s --check-prefix=DEVICE
// RUN: cog-opt %s -p 'separate-device{keep="host"}' | filecheck %s --check-prefix=HOST

// DEVICE-NOT:  @trial
// DEVICE:      func.func private @twice
// DEVICE:      func.func private @search_0_points
// DEVICE:      func.func private @search_0()
// DEVICE-SAME:   cog.kernel
// DEVICE-NOT:  @once

// A host without a GPU calls the function itself.
// HOST:        func.func @trial
// HOST:        func.func private @twice
// HOST:        func.func private @search_0_points
// HOST:        func.func private @search_0() {
// HOST:        func.func private @once
func.func @trial() {
  func.call @search_0() : () -> ()
  func.call @once() : () -> ()
  func.return
}
func.func private @twice() {
  func.return
}
func.func private @search_0_points() {
  func.call @twice() : () -> ()
  func.return
}
func.func private @search_0() attributes {cog.kernel = 0 : i64} {
  func.call @search_0_points() : () -> ()
  func.return
}
func.func private @once() {
  func.return
}
