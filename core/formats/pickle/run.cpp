// SPDX-License-Identifier: MIT
#include "core/formats/pickle/runner.h"
#include "core/tensor/bytes.h"

#include <algorithm>
#include <bit>

namespace wb::pickle {

Runner::Runner(Machine& machine, std::uint64_t begin) : m_machine(machine), m_tape(machine.m_tape), m_graph(machine.m_graph) {
    m_stream.begin = begin;
    m_tape.seek(begin);
}

Result<Stream> Runner::run(const Progress& progress) {
    constexpr std::uint64_t checkedEvery = 1 << 16;
    const std::uint64_t first = m_machine.m_opcodes;
    const auto& table = opcodes();
    while (!m_isDone) {
        if (m_machine.m_opcodes % checkedEvery == 0) WB_TRY(progress.at(m_tape.position(), m_tape.size()));
        m_position = m_tape.position() - m_stream.begin;
        if (m_machine.m_opcodes >= m_machine.m_limits.opcodes || m_graph.size() >= m_machine.m_limits.builtNodes ||
            m_graph.poolSize() >= 4 * m_machine.m_limits.builtNodes) {
            cap();
            break;
        }
        if (!m_tape.has(1)) {
            end(Stop::Truncated);
            break;
        }
        m_opcode = std::to_integer<std::uint8_t>(*m_tape.at());
        m_tape.advance(1);
        const Opcode& opcode = table[m_opcode];
        if (opcode.name.empty()) {
            end(Stop::UnknownOpcode);
            break;
        }
        ++m_machine.m_opcodes;
        if (!opcode.isWeightsOnly && m_stream.firstForeign == 0) m_stream.firstForeign = m_opcode;
        const std::uint64_t argument = m_tape.position();
        step(m_opcode);
        if (m_machine.m_listing != nullptr) list(opcode, argument);
    }
    if (m_tape.failure()) return std::unexpected(*m_tape.failure());
    m_stream.opcodes = m_machine.m_opcodes - first;
    m_stream.end = m_tape.position();
    allowGetattrPair();
    return std::move(m_stream);
}

void Runner::stopAt(Stop stop) {
    constexpr std::size_t maxDefects = 100;
    if (m_stream.defects.size() < maxDefects) m_stream.defects.push_back({stop, m_position});
}

void Runner::end(Stop stop) {
    stopAt(stop);
    m_isDone = true;
}

NodeId Runner::pop() {
    const std::size_t fence = m_marks.empty() ? 0 : m_marks.back();
    if (m_stack.size() <= fence) {
        stopAt(Stop::BadOperand);
        return unknownNode;
    }
    const NodeId id = m_stack.back();
    m_stack.pop_back();
    return id;
}

NodeId Runner::top() {
    const std::size_t fence = m_marks.empty() ? 0 : m_marks.back();
    if (m_stack.size() > fence) return m_stack.back();
    stopAt(Stop::BadOperand);
    return unknownNode;
}

std::size_t Runner::beginOfMark() {
    if (m_marks.empty()) {
        stopAt(Stop::BadOperand);
        return 0;
    }
    const std::size_t begin = m_marks.back();
    m_marks.pop_back();
    return begin;
}

void Runner::pushNumber(int bytes, bool isSigned) {
    std::uint64_t value = 0;
    if (!number(bytes, value)) return;
    push(m_graph.makeInt(isSigned ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)}) : value));
}

void Runner::pushRealBinary() {
    std::uint64_t value = 0;
    if (!number(8, value)) return;
    std::uint64_t reversed = 0;
    for (int i = 0; i < 8; ++i) reversed = reversed << 8 | (value >> (8 * i) & 0xFF);
    push(m_graph.makeReal(std::bit_cast<double>(reversed)));
}

void Runner::pushTuple(std::size_t count) {
    std::array<NodeId, 3> items{};
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    push(m_graph.makeTuple(items.data(), count));
}

// LIST, DICT, TUPLE and FROZENSET of the content above the mark.
void Runner::pushMarked(NodeKind kind) {
    const std::size_t begin = beginOfMark();
    const std::size_t count = m_stack.size() - begin;
    NodeId made = unknownNode;
    if (kind == NodeKind::Tuple) {
        made = m_graph.makeTuple(m_stack.data() + begin, count);
    } else {
        made = m_graph.make(kind);
        if (kind == NodeKind::Dict && count % 2 != 0) stopAt(Stop::BadOperand);
        const Change change = kind == NodeKind::Dict ? Change::Pairs : Change::Items;
        m_graph.append(made, change, m_stack.data() + begin, kind == NodeKind::Dict ? count / 2 * 2 : count);
    }
    drop(begin);
    push(made);
}

void Runner::get(std::uint64_t index) {
    NodeId id = unknownNode;
    if (!m_memo.get(index, id)) stopAt(Stop::MissingMemo);
    push(id);
}

void Runner::put(std::uint64_t index) {
    if (m_memo.size() >= m_machine.m_limits.memoEntries) return cap();
    m_memo.put(index, top());
}

void Runner::frame() {
    std::uint64_t length = 0;
    if (!number(8, length)) return;
    // Loaders read a frame that is longer than the file as far as it goes and fail there.
    if (length > m_tape.remaining()) stopAt(Stop::BadArgument);
}

void Runner::protocol() {
    std::uint64_t value = 0;
    if (!number(1, value)) return;
    if (value > 5) stopAt(Stop::Protocol);
    m_stream.protocol = std::max(m_stream.protocol, static_cast<std::uint8_t>(value));
}

// The opcodes that large pickles are made of.
void Runner::step(std::uint8_t opcode) {
    std::uint64_t value = 0;
    switch (opcode) {
    case BINPUT:
        if (number(1, value)) put(value);
        return;
    case LONG_BINPUT:
        if (number(4, value)) put(value);
        return;
    case MEMOIZE: return put(m_memo.size());
    case BINGET:
        if (number(1, value)) get(value);
        return;
    case LONG_BINGET:
        if (number(4, value)) get(value);
        return;
    case BINUNICODE: return pushCounted(4, NodeKind::Text);
    case SHORT_BINUNICODE: return pushCounted(1, NodeKind::Text);
    case BININT1: return pushNumber(1, false);
    case BININT2: return pushNumber(2, false);
    case BININT: return pushNumber(4, true);
    case TUPLE1: return pushTuple(1);
    case TUPLE2: return pushTuple(2);
    case TUPLE3: return pushTuple(3);
    case TUPLE: return pushMarked(NodeKind::Tuple);
    case EMPTY_TUPLE: return push(m_graph.makeTuple(nullptr, 0));
    case MARK:
        if (m_marks.size() >= m_machine.m_limits.stackValues) return cap();
        m_marks.push_back(m_stack.size());
        return;
    case GLOBAL: return importLines();
    case STACK_GLOBAL: return importStack();
    case REDUCE: return reduce();
    case BINPERSID: return persistent(pop());
    case NEWTRUE: return push(m_graph.makeBool(true));
    case NEWFALSE: return push(m_graph.makeBool(false));
    case NONE: return push(m_graph.makeNone());
    case BUILD: return build();
    case SETITEM: return setTop();
    case SETITEMS: return setMarked();
    case APPEND: return appendTop();
    case APPENDS: return appendMarked();
    case EMPTY_DICT: return push(m_graph.make(NodeKind::Dict));
    case EMPTY_LIST: return push(m_graph.make(NodeKind::List));
    case BINFLOAT: return pushRealBinary();
    case LONG1: return pushLongNumber(1);
    default: stepRare(opcode);
    }
}

void Runner::stepRare(std::uint8_t opcode) {
    std::uint64_t value = 0;
    switch (opcode) {
    case STOP:
        m_stream.root = pop();
        m_stream.isComplete = m_stream.defects.empty();
        m_isDone = true;
        return;
    case POP:
        if (!m_marks.empty() && m_marks.back() == m_stack.size()) m_marks.pop_back();
        else (void)pop();
        return;
    case POP_MARK: return drop(std::min(beginOfMark(), m_stack.size()));
    case DUP: return push(top());
    case INT: return pushIntLine();
    case LONG: return pushLongLine();
    case FLOAT: return pushFloatLine();
    case STRING: return pushStringLine();
    case UNICODE_: return pushUnicodeLine();
    case PERSID: {
        std::string_view text;
        if (line(text, value)) persistent(m_graph.makeOwned(NodeKind::Text, std::string(text)));
        return;
    }
    case GET:
        if (memoLine(value)) get(value);
        return;
    case PUT:
        if (memoLine(value)) put(value);
        return;
    case INST: return inst();
    case OBJ: return obj();
    case LIST: return pushMarked(NodeKind::List);
    case DICT: return pushMarked(NodeKind::Dict);
    case FROZENSET: return pushMarked(NodeKind::FrozenSet);
    case BINSTRING: return pushCounted(-4, NodeKind::Bytes);
    case SHORT_BINSTRING: return pushCounted(1, NodeKind::Bytes);
    case BINBYTES: return pushCounted(4, NodeKind::Bytes);
    case SHORT_BINBYTES: return pushCounted(1, NodeKind::Bytes);
    case BINBYTES8: return pushCounted(8, NodeKind::Bytes);
    case BYTEARRAY8: return pushCounted(8, NodeKind::ByteArray);
    case BINUNICODE8: return pushCounted(8, NodeKind::Text);
    case PROTO: return protocol();
    case FRAME: return frame();
    case NEWOBJ: return newObject(false);
    case NEWOBJ_EX: return newObject(true);
    case EXT1: return extension(1);
    case EXT2: return extension(2);
    case EXT4: return extension(4);
    case LONG4: return pushLongNumber(4);
    case EMPTY_SET: return push(m_graph.make(NodeKind::Set));
    case ADDITEMS: return addMarked();
    case NEXT_BUFFER: return push(m_graph.make(NodeKind::Buffer));
    default: return; // READONLY_BUFFER changes nothing that can be seen
    }
}

Result<Stream> Machine::run(std::uint64_t position, const Progress& progress) {
    return Runner(*this, std::min(position, m_tape.size())).run(progress);
}

} // namespace wb::pickle
