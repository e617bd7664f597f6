// SPDX-License-Identifier: MIT
#include "core/formats/sklearn/array_value.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::sklearn {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::unknownNode;

struct ArrayTypeRow {
    std::string_view code;
    Dtype dtype;
};
constexpr std::array types = {ArrayTypeRow{"f8", Dtype::F64}, ArrayTypeRow{"f4", Dtype::F32},  ArrayTypeRow{"f2", Dtype::F16},
                              ArrayTypeRow{"i8", Dtype::I64}, ArrayTypeRow{"i4", Dtype::I32},  ArrayTypeRow{"i2", Dtype::I16},
                              ArrayTypeRow{"i1", Dtype::I8},  ArrayTypeRow{"u8", Dtype::U64},  ArrayTypeRow{"u4", Dtype::U32},
                              ArrayTypeRow{"u2", Dtype::U16}, ArrayTypeRow{"u1", Dtype::U8},   ArrayTypeRow{"b1", Dtype::Bool},
                              ArrayTypeRow{"c8", Dtype::C64}, ArrayTypeRow{"c16", Dtype::C128}};

bool endsIn(std::string_view module, std::string_view last) {
    return module.starts_with("numpy") && (module.ends_with("." + std::string(last)) || module == last);
}

bool isText(std::string_view code) { return code[0] == 'S' || code[0] == 'U'; }

// numpy._core.multiarray of numpy 2, numpy.core.multiarray before.
bool isNumpy(const Graph& graph, NodeId callee, std::string_view module, std::string_view name) {
    if (!graph.is(callee, NodeKind::Global)) return false;
    const pickle::GlobalName& global = graph.global(callee);
    return global.name == name && endsIn(global.module, module);
}

// Text of Python 2's kind that protocol 2 uses for bytes: _codecs.encode(text, "latin1").
std::optional<std::vector<std::byte>> latin1(const Graph& graph, NodeId node) {
    if (!graph.is(node, NodeKind::Call) || !graph.isGlobal(graph.callee(node), "_codecs", "encode")) return std::nullopt;
    const auto given = graph.items(graph.arguments(node), 1);
    if (given.empty() || !graph.is(given[0], NodeKind::Text)) return std::nullopt;
    std::vector<std::byte> out;
    const std::string_view text = graph.text(given[0]);
    if (text.size() != graph.length(given[0])) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x80) {
            out.push_back(std::byte{byte});
        } else if ((byte == 0xC2 || byte == 0xC3) && i + 1 < text.size()) {
            out.push_back(static_cast<std::byte>((byte & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F)));
        } else {
            return std::nullopt;
        }
    }
    return out;
}

} // namespace

// Protocols before 2 make an object by copyreg._reconstructor(class, base, state).
bool isJoblibArray(const Graph& graph, NodeId object) {
    if (!graph.is(object, NodeKind::Call)) return false;
    NodeId made = graph.callee(object);
    if (graph.is(made, NodeKind::Global) && graph.global(made).name == "_reconstructor") {
        const auto given = graph.items(graph.arguments(object), 1);
        if (!given.empty()) made = given[0];
    }
    // scikit-learn carried a copy of joblib until 0.22.
    return graph.isGlobal(made, "joblib.numpy_pickle", "NumpyArrayWrapper") ||
           graph.isGlobal(made, "sklearn.externals.joblib.numpy_pickle", "NumpyArrayWrapper");
}

NodeId ArrayReading::attribute(NodeId object, std::string_view name) const {
    const auto states = m_graph.states(object);
    for (auto state = states.rbegin(); state != states.rend(); ++state) { // a later one overwrites
        // Of a pair the first are the attributes and the second the slots, which are set after them.
        const bool isPair = m_graph.is(*state, NodeKind::Tuple) && m_graph.count(*state) == 2;
        const auto halves = isPair ? m_graph.items(*state, 2) : std::vector{*state};
        for (auto half = halves.rbegin(); half != halves.rend(); ++half)
            if (const NodeId found = m_graph.find(*half, name); found != unknownNode) return found;
    }
    return unknownNode;
}

// numpy.dtype("f8", False, True) with the state (3, "<", …): the byte order is in the second place.
std::optional<ElementType> ArrayReading::dtype(NodeId node) const {
    if (!m_graph.is(node, NodeKind::Call) || !m_graph.isGlobal(m_graph.callee(node), "numpy", "dtype")) return std::nullopt;
    const auto given = m_graph.items(m_graph.arguments(node), 1);
    if (given.empty()) return std::nullopt;
    std::string_view code = m_graph.text(given[0]);
    ElementType type;
    if (!code.empty() && (code[0] == '<' || code[0] == '>' || code[0] == '|' || code[0] == '=')) {
        type.isBigEndian = code[0] == '>';
        code.remove_prefix(1);
    }
    bool isPlain = true;
    for (const NodeId state : m_graph.states(node)) {
        const auto items = m_graph.items(state, 9);
        if (items.size() > 1 && m_graph.text(items[1]) == ">") type.isBigEndian = true;
        isPlain = isPlain && isPlainState(items);
    }
    type.text = code;
    type.holdsObjects = code == "O" || code == "O4" || code == "O8";
    const auto* row = std::ranges::find(types, code, &ArrayTypeRow::code);
    if (row != types.end()) {
        type.dtype = row->dtype;
        type.bytes = info(row->dtype).blockBytes;
        type.isSure = isPlain;
        return type;
    }
    if (code.empty()) return type;
    const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), type.bytes);
    const bool isCounted = error == std::errc() && end == code.data() + code.size() && type.bytes <= std::uint64_t{1} << 32;
    if (!isCounted) type.bytes = 0;
    if (code[0] == 'U') type.bytes *= 4;
    const bool isOfFixedKind = isCounted && std::string_view("SUMmfc").find(code[0]) != std::string_view::npos;
    type.isSure = type.holdsObjects || (isPlain && isOfFixedKind && (!isText(code) || statesBytes(node, type.bytes)));
    return type;
}

bool ArrayReading::statesBytes(NodeId dtype, std::uint64_t bytes) const {
    const auto states = m_graph.states(dtype);
    const auto items = states.empty() ? std::vector<NodeId>() : m_graph.items(states.back(), 9);
    if (items.size() < 8) return states.empty();
    const auto stated = m_graph.number(items[5]);
    return stated && static_cast<std::uint64_t>(*stated) == bytes;
}

// A type's state (version, byte order, subtype, names, fields, bytes, alignment, flags …) that makes it no other one: no fields,
// no subtype, no objects inside. Texts give their bytes there again.
bool ArrayReading::isPlainState(const std::vector<NodeId>& state) const {
    constexpr std::int64_t holdsObjectsFlag = 1;
    if (state.size() < 8) return false;
    for (std::size_t i = 2; i <= 4; ++i)
        if (!m_graph.is(state[i], NodeKind::None)) return false;
    const auto flags = m_graph.number(state[7]);
    return flags && (*flags & holdsObjectsFlag) == 0;
}

std::optional<std::vector<std::uint64_t>> ArrayReading::shape(NodeId node) const {
    constexpr std::size_t most = 64;
    if (!m_graph.is(node, NodeKind::Tuple) && !m_graph.is(node, NodeKind::List)) {
        const auto one = m_graph.number(node); // of one dimension
        return one && *one >= 0 ? std::optional(std::vector{static_cast<std::uint64_t>(*one)}) : std::nullopt;
    }
    std::vector<std::uint64_t> sides;
    for (const NodeId item : m_graph.items(node, most)) {
        const auto side = m_graph.number(item);
        if (!side || *side < 0) return std::nullopt;
        sides.push_back(static_cast<std::uint64_t>(*side));
    }
    return sides;
}

void ArrayReading::place(NodeId bytes, ArrayValue& array) const {
    if (m_graph.is(bytes, NodeKind::Bytes) || m_graph.is(bytes, NodeKind::ByteArray)) {
        array.extent = m_graph.extent(bytes);
        if (array.extent) return;
        const std::string_view text = m_graph.text(bytes);
        const auto raw = std::as_bytes(std::span(text));
        array.copied.assign(raw.begin(), raw.end());
        array.hasCopy = text.size() == m_graph.length(bytes);
    } else if (auto decoded = latin1(m_graph, bytes)) {
        array.copied = std::move(*decoded);
        array.hasCopy = true;
    } else if (m_graph.is(bytes, NodeKind::Call) && m_graph.isGlobal(m_graph.callee(bytes), "builtins", "bytearray")) {
        const auto given = m_graph.items(m_graph.arguments(bytes), 1);
        if (!given.empty() && !m_graph.is(given[0], NodeKind::Call)) place(given[0], array);
        else array.hasCopy = given.empty();
    } else if (m_graph.is(bytes, NodeKind::Call) && m_graph.is(m_graph.callee(bytes), NodeKind::Global) &&
               m_graph.global(m_graph.callee(bytes)).name == "bytes") {
        array.hasCopy = m_graph.count(m_graph.arguments(bytes)) == 0; // bytes(), as protocol 2 spells empty ones
    }
}

std::optional<ArrayValue> ArrayReading::read(NodeId node) const {
    if (!m_graph.is(node, NodeKind::Call)) return std::nullopt;
    const NodeId callee = m_graph.callee(node);
    ArrayValue array;
    if (isJoblibArray(m_graph, node)) {
        const auto type = dtype(attribute(node, "dtype"));
        auto sides = shape(attribute(node, "shape"));
        if (!type || !sides) return std::nullopt;
        array.type = *type;
        array.shape = std::move(*sides);
        array.isColumnMajor = m_graph.text(attribute(node, "order")) == "F";
        if (const auto found = m_inlined.find(node); found != m_inlined.end()) array.extent = found->second;
        return array;
    }
    if (isNumpy(m_graph, callee, "multiarray", "scalar")) {
        const auto given = m_graph.items(m_graph.arguments(node), 2);
        const auto type = given.empty() ? std::nullopt : dtype(given[0]);
        if (!type || given.size() < 2) return std::nullopt;
        array.type = *type;
        place(given[1], array);
        return array;
    }
    if (isNumpy(m_graph, callee, "numeric", "_frombuffer")) {
        const auto given = m_graph.items(m_graph.arguments(node), 4);
        const auto type = given.size() < 3 ? std::nullopt : dtype(given[1]);
        auto sides = given.size() < 3 ? std::nullopt : shape(given[2]);
        if (!type || !sides) return std::nullopt;
        array.type = *type;
        array.shape = std::move(*sides);
        array.isColumnMajor = given.size() > 3 && m_graph.text(given[3]) == "F";
        place(given[0], array);
        return array;
    }
    if (!isNumpy(m_graph, callee, "multiarray", "_reconstruct")) return std::nullopt;
    for (const NodeId state : m_graph.states(node)) {
        auto items = m_graph.items(state, 5);
        if (items.size() == 4) items.insert(items.begin(), unknownNode); // without a version
        if (items.size() != 5) continue;
        const auto type = dtype(items[2]);
        auto sides = shape(items[1]);
        if (!type || !sides) return std::nullopt;
        array.type = *type;
        array.shape = std::move(*sides);
        array.isColumnMajor = m_graph.is(items[3], NodeKind::Bool) && m_graph.flag(items[3]);
        if (array.type.holdsObjects && m_graph.is(items[4], NodeKind::List)) array.objects = items[4];
        place(items[4], array);
        return array;
    }
    return std::nullopt;
}

} // namespace wb::sklearn
