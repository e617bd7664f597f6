// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// The opcodes of pickles (python/cpython: Lib/pickletools.py), from lists/opcodes.tsv.
namespace wb::pickle {

// The argument of an opcode: nothing, one or two lines, this many bytes of a number, or a length of this many bytes and as many
// bytes.
enum class Argument : std::uint8_t { None, Line, Lines, Bytes1, Bytes2, Bytes4, Bytes8, Counted1, Counted4, Counted8 };

struct Opcode {
    std::string_view name; // empty: no opcode has this byte
    std::uint8_t protocol = 0;
    Argument argument = Argument::None;
    bool isWeightsOnly = false; // torch.load(weights_only=True) knows it
};

// By byte.
const std::array<Opcode, 256>& opcodes();

// The bytes themselves, named as in the reference.
// clang-format off
enum Op : std::uint8_t {
    MARK = '(', STOP = '.', POP = '0', POP_MARK = '1', DUP = '2', FLOAT = 'F', INT = 'I', BININT = 'J', BININT1 = 'K', LONG = 'L',
    BININT2 = 'M', NONE = 'N', PERSID = 'P', BINPERSID = 'Q', REDUCE = 'R', STRING = 'S', BINSTRING = 'T', SHORT_BINSTRING = 'U',
    UNICODE_ = 'V', BINUNICODE = 'X', APPEND = 'a', BUILD = 'b', GLOBAL = 'c', DICT = 'd', EMPTY_DICT = '}', APPENDS = 'e', GET = 'g',
    BINGET = 'h', INST = 'i', LONG_BINGET = 'j', LIST = 'l', EMPTY_LIST = ']', OBJ = 'o', PUT = 'p', BINPUT = 'q', LONG_BINPUT = 'r',
    SETITEM = 's', TUPLE = 't', EMPTY_TUPLE = ')', SETITEMS = 'u', BINFLOAT = 'G', PROTO = 0x80, NEWOBJ = 0x81, EXT1 = 0x82,
    EXT2 = 0x83, EXT4 = 0x84, TUPLE1 = 0x85, TUPLE2 = 0x86, TUPLE3 = 0x87, NEWTRUE = 0x88, NEWFALSE = 0x89, LONG1 = 0x8A,
    LONG4 = 0x8B, BINBYTES = 'B', SHORT_BINBYTES = 'C', SHORT_BINUNICODE = 0x8C, BINUNICODE8 = 0x8D, BINBYTES8 = 0x8E,
    EMPTY_SET = 0x8F, ADDITEMS = 0x90, FROZENSET = 0x91, NEWOBJ_EX = 0x92, STACK_GLOBAL = 0x93, MEMOIZE = 0x94, FRAME = 0x95,
    BYTEARRAY8 = 0x96, NEXT_BUFFER = 0x97, READONLY_BUFFER = 0x98
};
// clang-format on

} // namespace wb::pickle
