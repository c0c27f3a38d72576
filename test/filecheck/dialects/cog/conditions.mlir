// Every condition of graph_scheduler reads and prints back, in its own form and in the generic one.
// RUN: cog-opt %s | cog-opt | filecheck %s
// RUN: cog-opt %s --print-op-generic | cog-opt | filecheck %s

cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) states(%s: tensor<2x2xf64> = dense<0.0>)
      -> (value: tensor<2xf64> = dense<0.0>, time: f64 = 0.0) {
    cog.yield %x, %gain states(%s)
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    // CHECK: cog.when @b {
    cog.when @b {
      // CHECK-NEXT: %always = cog.always
      %always = cog.always
      // CHECK-NEXT: %never = cog.never
      %never = cog.never
      // CHECK-NEXT: %all = cog.all %always, %never
      %all = cog.all %always, %never
      // CHECK-NEXT: %any = cog.any %always, %never, %all
      %any = cog.any %always, %never, %all
      // CHECK-NEXT: %not = cog.not %always
      %not = cog.not %always
      // CHECK-NEXT: %n_when = cog.n_when %not 3
      %n_when = cog.n_when %not 3
      // CHECK-NEXT: %c1 = cog.all_have_run [] in trial
      %c1 = cog.all_have_run [] in trial
      // CHECK-NEXT: %c2 = cog.all_have_run [@a, @b] in life
      %c2 = cog.all_have_run [@a, @b] in life
      // CHECK-NEXT: %c3 = cog.before_n_calls @a 3 in time_step
      %c3 = cog.before_n_calls @a 3 in time_step
      // CHECK-NEXT: %c4 = cog.at_n_calls @a 3 in pass
      %c4 = cog.at_n_calls @a 3 in pass
      // CHECK-NEXT: %c5 = cog.after_call @a 3 in trial
      %c5 = cog.after_call @a 3 in trial
      // CHECK-NEXT: %c6 = cog.after_n_calls @a 3 in run
      %c6 = cog.after_n_calls @a 3 in run
      // CHECK-NEXT: %c7 = cog.after_n_calls_combined [@a, @b] 5 in life
      %c7 = cog.after_n_calls_combined [@a, @b] 5 in life
      // CHECK-NEXT: %c8 = cog.every_n_calls @a 2
      %c8 = cog.every_n_calls @a 2
      // CHECK-NEXT: %c9 = cog.just_ran @a
      %c9 = cog.just_ran @a
      // CHECK-NEXT: %c10 = cog.when_finished @a
      %c10 = cog.when_finished @a
      // CHECK-NEXT: %c11 = cog.when_finished_any [@a, @b]
      %c11 = cog.when_finished_any [@a, @b]
      // CHECK-NEXT: %c12 = cog.when_finished_all [@a, @b]
      %c12 = cog.when_finished_all [@a, @b]
      // CHECK-NEXT: %c13 = cog.before_time_step 2 in pass
      %c13 = cog.before_time_step 2 in pass
      // CHECK-NEXT: %c14 = cog.at_time_step 2 in trial
      %c14 = cog.at_time_step 2 in trial
      // CHECK-NEXT: %c15 = cog.after_time_step 2 in trial
      %c15 = cog.after_time_step 2 in trial
      // CHECK-NEXT: %c16 = cog.after_n_time_steps 2 in run
      %c16 = cog.after_n_time_steps 2 in run
      // CHECK-NEXT: %c17 = cog.before_pass 2 in trial
      %c17 = cog.before_pass 2 in trial
      // CHECK-NEXT: %c18 = cog.at_pass 2 in trial
      %c18 = cog.at_pass 2 in trial
      // CHECK-NEXT: %c19 = cog.after_pass 2 in run
      %c19 = cog.after_pass 2 in run
      // CHECK-NEXT: %c20 = cog.after_n_passes 2 in life
      %c20 = cog.after_n_passes 2 in life
      // CHECK-NEXT: %c21 = cog.every_n_passes 2 in trial
      %c21 = cog.every_n_passes 2 in trial
      // CHECK-NEXT: %c22 = cog.before_trial 2 in run
      %c22 = cog.before_trial 2 in run
      // CHECK-NEXT: %c23 = cog.at_trial 2 in run
      %c23 = cog.at_trial 2 in run
      // CHECK-NEXT: %c24 = cog.after_trial 2 in run
      %c24 = cog.after_trial 2 in run
      // CHECK-NEXT: %c25 = cog.after_n_trials 2 in life
      %c25 = cog.after_n_trials 2 in life
      // CHECK-NEXT: %c26 = cog.at_run 1
      %c26 = cog.at_run 1
      // CHECK-NEXT: %c27 = cog.after_run 1
      %c27 = cog.after_run 1
      // CHECK-NEXT: %c28 = cog.after_n_runs 1
      %c28 = cog.after_n_runs 1
      // CHECK-NEXT: %c29 = cog.at_trial_start
      %c29 = cog.at_trial_start
      // CHECK-NEXT: %c30 = cog.at_trial_n_start 2 in run
      %c30 = cog.at_trial_n_start 2 in run
      // CHECK-NEXT: %c31 = cog.at_run_start
      %c31 = cog.at_run_start
      // CHECK-NEXT: %c32 = cog.at_run_n_start 1
      %c32 = cog.at_run_n_start 1
      // CHECK-NEXT: %c33 = cog.threshold @b < 0.5
      %c33 = cog.threshold @b < 0.5
      // CHECK-NEXT: %c34 = cog.threshold @a["time"] <= -1.0e-09
      %c34 = cog.threshold @a[port "time"] <= -0.000000001
      // CHECK-NEXT: %c35 = cog.threshold @a["value"][1] > inf
      %c35 = cog.threshold @a["value"][1] > inf
      // CHECK-NEXT: %c36 = cog.threshold @a[state "s"][0, -1] >= 3.0
      %c36 = cog.threshold @a[state "s"][0, -1] >= 3
      // CHECK-NEXT: %c37 = cog.threshold @a[param "gain"] == 1.0 atol 0.001 rtol 0.01
      %c37 = cog.threshold @a[param "gain"] == 1.0 atol 0.001 rtol 0.01
      // CHECK-NEXT: %c38 = cog.threshold @b <> 0.0
      %c38 = cog.threshold @b <> 0.0
      // CHECK-NEXT: %time = cog.read @a["time"] : f64
      %time = cog.read @a["time"] : f64
      // CHECK-NEXT: %s = cog.read @a[state "s"] : tensor<2x2xf64>
      %s = cog.read @a[state "s"] : tensor<2x2xf64>
      // CHECK-NEXT: %gain = cog.read @a[param "gain"] : f64
      %gain = cog.read @a[param "gain"] : f64
      // CHECK-NEXT: %later = arith.cmpf ogt, %time, %gain : f64
      %later = arith.cmpf ogt, %time, %gain : f64
      // CHECK-NEXT: %c39 = cog.while %later
      %c39 = cog.while %later
      // CHECK-NEXT: %c40 = cog.while_not %later
      %c40 = cog.while_not %later
      // CHECK-NEXT: cog.condition %c40
      cog.condition %c40
    }
  }
}
