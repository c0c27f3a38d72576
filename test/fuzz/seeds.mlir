// Texts that `fuzz_execution.py` begins with, beside those of the tests: small, and with the operations that can go wrong.
cog.model @elements {
  cog.node @n (%x: f64, %v: tensor<5xf64>) states(%held: tensor<3x4xf64> = dense<1.0>, %count: i64 = 0) -> (value: f64 = 0.0) {
    %a = arith.fptosi %x : f64 to i64
    %i = arith.index_cast %a : i64 to index
    %j = arith.index_cast %count : i64 to index
    %one = arith.constant 1 : i64
    %e = tensor.extract %v[%i] : tensor<5xf64>
    %f = tensor.extract %held[%j, %i] : tensor<3x4xf64>
    %sum = arith.addf %e, %f : f64
    %next = tensor.insert %sum into %held[%i, %j] : tensor<3x4xf64>
    %row = tensor.extract_slice %next[%i, 0] [1, 4] [1, 1] : tensor<3x4xf64> to tensor<4xf64>
    %window = tensor.extract_slice %row[%j] [2] [2] : tensor<4xf64> to tensor<2xf64>
    %placed = tensor.insert_slice %window into %v[%i] [2] [1] : tensor<2xf64> into tensor<5xf64>
    %last = tensor.extract %placed[%j] : tensor<5xf64>
    %more = arith.addi %count, %one : i64
    cog.yield %last states(%next, %more)
  }
  cog.input @n["x"]
  cog.input @n["v"]
  cog.output @n
}
// -----
cog.model @integers {
  cog.node @n (%x: f64, %y: f64) -> (value: f64 = 0.0, other: i64 = 0) {
    %a = arith.fptosi %x : f64 to i64
    %b = arith.fptosi %y : f64 to i64
    %0 = arith.divsi %a, %b : i64
    %1 = arith.remsi %b, %a : i64
    %2 = arith.shli %0, %1 : i64
    %3 = arith.shrsi %a, %2 : i64
    %4 = arith.remui %3, %b : i64
    %5 = arith.floordivsi %4, %0 : i64
    %6 = arith.trunci %5 : i64 to i8
    %7 = arith.trunci %b : i64 to i8
    %8 = arith.divsi %6, %7 : i8
    %9 = arith.extsi %8 : i8 to i64
    %10 = arith.cmpi slt, %9, %3 : i64
    %11 = arith.select %10, %9, %5 : i64
    %12 = arith.sitofp %11 : i64 to f64
    cog.yield %12, %4
  }
  cog.input @n["x"]
  cog.input @n["y"]
  cog.output @n["value"]
  cog.output @n["other"]
}
// -----
cog.model @loops {
  cog.node @n (%x: f64) random (%r: !rng.state<mt19937> = @stream) -> (value: tensor<4xf64> = dense<0.0>) {
    %a = arith.fptosi %x : f64 to i64
    %n = arith.index_cast %a : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f64
    %empty = tensor.empty() : tensor<4xf64>
    %v = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %empty) -> (tensor<4xf64>) {
      %w = tensor.insert %x into %t[%i] : tensor<4xf64>
      scf.yield %w : tensor<4xf64>
    }
    %bound = arith.minsi %n, %c4 : index
    %sum = scf.for %i = %c0 to %bound step %c1 iter_args(%s = %zero) -> (f64) {
      %e = tensor.extract %v[%i] : tensor<4xf64>
      %s2 = arith.addf %s, %e : f64
      scf.yield %s2 : f64
    }
    %draw, %r2 = rng.normal %r : !rng.state<mt19937> -> f64
    %positive = arith.cmpf ogt, %sum, %draw : f64
    %chosen = scf.if %positive -> (f64) {
      %e = tensor.extract %v[%bound] : tensor<4xf64>
      scf.yield %e : f64
    } else {
      scf.yield %zero : f64
    }
    %out = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                           iterator_types = ["parallel"]}
        ins(%v, %chosen : tensor<4xf64>, f64) outs(%empty : tensor<4xf64>) {
    ^bb0(%e: f64, %c: f64, %o: f64):
      %p = arith.mulf %e, %c : f64
      %k = linalg.index 0 : index
      %q = tensor.extract %v[%k] : tensor<4xf64>
      %u = arith.addf %p, %q : f64
      linalg.yield %u : f64
    } -> tensor<4xf64>
    cog.yield %out random(%r2)
  }
  cog.input @n
  cog.output @n
}
rng.stream @stream mt19937 seed 3
// -----
func.func private @steps(%x: f64, %v: tensor<2x3xf64>) -> (f64, tensor<6xf64>) {
  %flat = tensor.collapse_shape %v [[0 : i64, 1 : i64]] : tensor<2x3xf64> into tensor<6xf64>
  %one = arith.constant 1.0 : f64
  %limit = arith.constant 10.0 : f64
  %sum, %k = scf.while (%s = %x, %n = %one) : (f64, f64) -> (f64, f64) {
    %go = arith.cmpf olt, %n, %limit : f64
    scf.condition(%go) %s, %n : f64, f64
  } do {
  ^bb0(%s: f64, %n: f64):
    %i = arith.fptosi %s : f64 to i64
    %index = arith.index_cast %i : i64 to index
    %e = tensor.extract %flat[%index] : tensor<6xf64>
    %s2 = arith.addf %s, %e : f64
    %n2 = arith.addf %n, %one : f64
    scf.yield %s2, %n2 : f64, f64
  }
  func.return %sum, %flat : f64, tensor<6xf64>
}
cog.model @calls {
  cog.node @a (%x: f64) params (%gain: tensor<2x3xf64> = dense<0.5>) -> (value: f64 = 0.0, flat: tensor<6xf64> = dense<0.0>) {
    %s, %f = func.call @steps(%x, %gain) : (f64, tensor<2x3xf64>) -> (f64, tensor<6xf64>)
    cog.yield %s, %f
  }
  cog.node @b (%v: tensor<6xf64>) -> (value: f64 = 0.0) {
    %c2 = arith.constant 2 : index
    %e = tensor.extract %v[%c2] : tensor<6xf64>
    %p = math.exp %e : f64
    cog.yield %p
  }
  cog.project @a["flat"] -> @b
  cog.input @a
  cog.output @b
  cog.schedule {
    cog.when @b {
      %c = cog.after_n_passes 0 in trial
      cog.condition %c
    }
  }
}
