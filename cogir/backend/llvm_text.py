"""Types, constants and names of the llvm dialect as text of LLVM IR."""

from __future__ import annotations

import re
import struct
from typing import Any, cast

import numpy as np
from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute

from cogir.errors import BackendError, shown

_PLAIN_NAME = re.compile(r"[A-Za-z$._-][A-Za-z0-9$._-]*\Z")


def symbol(name: str) -> str:
    """A global name: @plain, or @"with spaces"; bytes that are not printable are written as two hexadecimal digits."""
    if "\0" in name:
        raise BackendError(f"emit-llvm-ir: the name {shown(name)} has a NUL character, which LLVM does not take; leave it out")
    if _PLAIN_NAME.match(name):
        return f"@{name}"
    return f"@{quoted(name)}"


def quoted(text: str) -> str:
    """A string in double quotes; bytes that are not printable, quotes and backslashes are written as two hexadecimal digits."""
    return f'"{_escaped(text.encode())}"'


def _escaped(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)


def type_text(type: Attribute) -> str:
    """A type: double, i64, ptr, <8 x double>, [4 x double], { double, i64 }."""
    match type:
        case Float64Type():
            return "double"
        case IntegerType():
            return f"i{type.width.data}"
        case llvm.LLVMPointerType():
            return f"ptr addrspace({type.addr_space.data})" if isinstance(type.addr_space, IntAttr) else "ptr"
        case Float32Type():
            return "float"
        case VectorType():
            vector = cast("VectorType[Any]", type)
            return f"<{vector.get_shape()[0]} x {type_text(vector.element_type)}>"
        case llvm.LLVMArrayType():
            return f"[{type.size.data} x {type_text(type.type)}]"
        case llvm.LLVMStructType():
            return f"{{ {', '.join(type_text(field) for field in type.types)} }}" if type.types.data else "{}"
        case llvm.LLVMVoidType():
            return "void"
        case Float16Type():
            return "half"
        case BFloat16Type():
            return "bfloat"
        case _:
            raise BackendError(f"emit-llvm-ir: type {type} has no counterpart in LLVM IR")


def float_text(value: float, type: Attribute) -> str:
    """A floating-point constant to the bit, in hexadecimal digits."""
    match type:
        case Float64Type() | Float32Type():
            # LLVM writes a float with the bits of the double of the same value.
            return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        case Float16Type():
            return f"0xH{int(np.array(value, np.float16).view(np.uint16)):04X}"
        case BFloat16Type():
            return f"0xR{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04X}"
        case _:
            raise BackendError(f"emit-llvm-ir: {type} is not a floating-point type that LLVM IR has constants for")


def integer_text(value: int, type: IntegerType) -> str:
    """An integer constant; i1 is a word."""
    return ("true" if value else "false") if type.width.data == 1 else str(value)


def constant_text(value: Attribute, type: Attribute) -> str:
    """The value of an `llvm.mlir.constant` or a global, without its type."""
    match value:
        case FloatAttr():
            number = cast("FloatAttr[Any]", value)
            return float_text(number.value.data, cast(Attribute, number.type))
        case IntegerAttr():
            integer = cast("IntegerAttr[Any]", value).value.data
            if isinstance(type, IntegerType):
                return integer_text(integer, cast(IntegerType, type))
            return "null" if integer == 0 and isinstance(type, llvm.LLVMPointerType) else str(integer)
        case DenseIntOrFPElementsAttr():
            return _dense_text(value, type)
        case StringAttr():
            return f"c{quoted(value.data)}"
        case UnitAttr():
            return "zeroinitializer"
        case _:
            raise BackendError(f"emit-llvm-ir: constant {value} is not supported; use numbers, or dense arrays of numbers")


def _dense_text(value: DenseIntOrFPElementsAttr, type: Attribute) -> str:
    data = value.data.data
    if not any(data):
        return "zeroinitializer"
    element = cast(Attribute, value.get_element_type())
    word = type_text(element)
    texts = [f"{word} {text}" for text in _element_texts(value, element)]
    if isinstance(type, VectorType) and len(set(texts)) == 1:
        return f"splat ({texts[0]})"
    opening, closing = ("<", ">") if isinstance(type, VectorType) else ("[", "]")
    return f"{opening}{', '.join(texts)}{closing}"


def _element_texts(value: DenseIntOrFPElementsAttr, element: Attribute) -> list[str]:
    if isinstance(element, Float64Type):
        return [f"0x{bits:016X}" for bits in np.frombuffer(value.data.data, dtype=np.uint64).tolist()]
    numbers = cast("tuple[float, ...]", value.get_values())
    if isinstance(element, IntegerType):
        return [integer_text(cast(int, number), cast(IntegerType, element)) for number in numbers]
    return [float_text(number, element) for number in numbers]
