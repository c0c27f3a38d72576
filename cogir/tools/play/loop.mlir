// A function in values: try what cog-licm hoists, and what it leaves where it is.
func.func @sum(%x: f64, %n: index, %d: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f64) {
    %e = math.exp %x : f64
    %q = arith.divsi %n, %d : index
    %f = arith.index_cast %q : index to i64
    %g = arith.sitofp %f : i64 to f64
    %p = arith.mulf %e, %g : f64
    %t = arith.addf %s, %p : f64
    scf.yield %t : f64
  }
  func.return %sum : f64
}
