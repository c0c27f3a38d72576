// What is recorded inside of trials reads and prints back: ports, states and parameters of nodes, and the schedule.
// RUN: cog-opt %s | cog-opt | filecheck %s
// RUN: cog-opt %s --print-op-generic | cog-opt | filecheck %s

// CHECK-LABEL: cog.model @m {
cog.model @m {
  cog.node @a (%x: f64) params(%gain: f64 = 1.0) states(%s: f64 = 0.0) -> (value: f64 = 0.0, time: f64 = 0.0) {
    cog.yield %x, %gain states(%s)
  }
  cog.input @a
  // CHECK:      cog.record @a["value"]
  // CHECK-NEXT: cog.record @a["time"] every 10
  // CHECK-NEXT: cog.record @a state "s"
  // CHECK-NEXT: cog.record @a param "gain" every 2
  // CHECK-NEXT: cog.record schedule
  cog.record @a["value"]
  cog.record @a["time"] every 10
  cog.record @a state "s" every 1
  cog.record @a param "gain" every 2
  cog.record schedule
}
