// A state that must be zero at the end of a trial gives it up, unless it has been given up already: its status names the node in the
// layout's `nodes`.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s

// CHECK: func.func @trial
// CHECK: %[[FAILED:.*]] = arith.cmpf une, %a_over_1, %{{.*}} : f64
// CHECK:      %[[NONE:.*]] = arith.cmpi eq, %[[BEFORE:.*]], %{{.*}} : i64
// CHECK-NEXT: %[[FIRST:.*]] = arith.andi %[[FAILED]], %[[NONE]] : i1
// CHECK-NEXT: %[[STATUS:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[BEFORE]] : i64
// CHECK: func.return %{{.*}}, %{{.*}}, %{{.*}}, %[[STATUS]] :
//
// CHECK: "a failed: too much; give less"
cog.model @m {
  cog.node @a (%x: f64) states(%over: f64 = 0.0) -> (value: f64 = 0.0) {
    %one = arith.constant 1.0 : f64
    %more = arith.addf %over, %one : f64
    cog.yield %x states(%more)
  }
  cog.schedule {
    cog.fail @a state "over" because "too much; give less"
  }
}
