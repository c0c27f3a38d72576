// A choice between programs: the number of the program is found once, from the counts that the trial begins with, and each program
// stands once, in an scf.if, with nothing asked inside. What is asked again is kept, here the trial, the passes, and whether @b just ran.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s

cog.model @choose {
  cog.node @a (%in: f64) -> (value: f64 = 0.0) {
    cog.yield %in
  }
  cog.node @b (%in: f64) -> (value: f64 = 0.0) {
    %twice = arith.addf %in, %in : f64
    cog.yield %twice
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule layers [[@a], [@b]] {
    cog.program {
      cog.choose ["clock:trial:run"] == 2 {
        cog.step [@a]
        cog.step [@b]
        cog.advance "clock:pass:life" by 3
      } else {
        cog.choose ["clock:pass:life"] mod 3 == 1 {
          cog.step [@a]
        } else {
          cog.choose ["b/just_ran"] == 1 {
            cog.step [@a]
            cog.step [@b]
            cog.advance "clock:pass:life" by 3
          } else {
            cog.step [@a]
          }
        }
      }
    }
  }
}

// CHECK-LABEL: func.func @trial(
// CHECK:        [[THIRD:%.*]] = arith.cmpi eq, %clock_trial_run, %{{.*}} : i64
// CHECK:        [[REST:%.*]] = arith.remsi %clock_pass_life, %{{.*}} : i64
// CHECK-NEXT:   [[MOD:%.*]] = arith.cmpi eq, [[REST]], %{{.*}} : i64
// CHECK:        [[RAN:%.*]] = arith.extui %b_just_ran{{.*}} : i1 to i64
// CHECK-NEXT:   [[JUST:%.*]] = arith.cmpi eq, [[RAN]], %{{.*}} : i64
// CHECK-NEXT:   [[LAST:%.*]] = arith.select [[JUST]], [[BOTH:%.*]], [[ONE:%.*]] : i64
// CHECK-NEXT:   [[NEXT:%.*]] = arith.select [[MOD]], [[ONE]], [[LAST]] : i64
// CHECK-NEXT:   %program = arith.select [[THIRD]], [[BOTH]], [[NEXT]] : i64
// CHECK-NEXT:   [[FIRST:%.*]] = arith.cmpi eq, %program, [[BOTH]] : i64
// CHECK-NEXT:   scf.if [[FIRST]]
// CHECK-NOT:      arith.cmpi
// CHECK:          arith.addf
// CHECK:          arith.addi %clock_pass_life
// CHECK:        [[SECOND:%.*]] = arith.cmpi eq, %program, [[ONE]] : i64
// CHECK-NEXT:   scf.if [[SECOND]]
// CHECK-NOT:      arith.addf
// CHECK-NOT:    scf.while
// CHECK:        func.return
//
// CHECK: "b/just_ran" = ["si", {{.*}}]
// CHECK: "clock:pass:life" = ["si", {{.*}}]
// CHECK: "clock:trial:run" = ["si",
