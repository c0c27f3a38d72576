"""
Python functions of a fixed subset, from their syntax trees to `func.func`.

    from cogir.pyfunc.table import FunctionTable, compile_function

    table = FunctionTable()
    function = compile_function(logistic, [f64, f64], name="logistic", symbol_table=table)
"""
