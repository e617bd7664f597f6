// SPDX-License-Identifier: MIT
#include "core/formats/pickle/key_text.h"

#include "core/base/text.h"

#include <cstring>

namespace wb::pickle {
namespace {

template <typename T>
std::optional<T> loaded(std::string_view bytes) {
    if (bytes.size() != sizeof(T)) return std::nullopt;
    T value{};
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

template <typename T>
std::optional<std::string> wholeNumber(std::string_view bytes) {
    const auto value = loaded<T>(bytes);
    return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

// Little-endian bytes of the NumPy type `code`.
std::optional<std::string> scalarText(std::string_view code, std::string_view bytes) {
    if (code == "i8") return wholeNumber<std::int64_t>(bytes);
    if (code == "i4") return wholeNumber<std::int32_t>(bytes);
    if (code == "i2") return wholeNumber<std::int16_t>(bytes);
    if (code == "i1") return wholeNumber<std::int8_t>(bytes);
    if (code == "u8") return wholeNumber<std::uint64_t>(bytes);
    if (code == "u4") return wholeNumber<std::uint32_t>(bytes);
    if (code == "u2") return wholeNumber<std::uint16_t>(bytes);
    if (code == "u1") return wholeNumber<std::uint8_t>(bytes);
    if (code == "b1" && bytes.size() == 1) return bytes[0] != 0 ? "True" : "False";
    if (code == "f8")
        if (const auto value = loaded<double>(bytes)) return shortest(*value);
    if (code == "f4")
        if (const auto value = loaded<float>(bytes)) return shortest(*value);
    return std::nullopt;
}

// numpy.core.multiarray.scalar(dtype("i8"), b"…"), in numpy 2 numpy._core.multiarray.scalar.
std::optional<std::string> numpyScalar(const Graph& graph, NodeId key) {
    if (!graph.is(key, NodeKind::Call) || !graph.is(graph.callee(key), NodeKind::Global)) return std::nullopt;
    const GlobalName& function = graph.global(graph.callee(key));
    const bool isScalar =
        function.name == "scalar" && (function.module == "numpy.core.multiarray" || function.module == "numpy._core.multiarray");
    const auto given = isScalar ? graph.items(graph.arguments(key), 2) : std::vector<NodeId>();
    if (given.size() != 2 || !graph.is(given[0], NodeKind::Call)) return std::nullopt;
    if (!graph.isGlobal(graph.callee(given[0]), "numpy", "dtype") || !graph.is(given[1], NodeKind::Bytes)) return std::nullopt;
    const auto type = graph.items(graph.arguments(given[0]), 1);
    for (const NodeId state : graph.states(given[0])) {
        const auto items = graph.items(state, 2);
        if (items.size() == 2 && graph.text(items[1]) == ">") return std::nullopt;
    }
    return type.empty() ? std::nullopt : scalarText(graph.text(type[0]), graph.text(given[1]));
}

} // namespace

std::string keyText(const Graph& graph, NodeId key, std::size_t maximumBytes) {
    if (graph.is(key, NodeKind::Text) || graph.is(key, NodeKind::Bytes)) return std::string(graph.text(key));
    if (auto number = numpyScalar(graph, key)) return *number;
    return preview(graph, key, maximumBytes);
}

} // namespace wb::pickle
