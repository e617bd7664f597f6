// SPDX-License-Identifier: MIT
#include "core/formats/torch/tensor_value.h"

#include "core/base/text.h"
#include "core/model/fragments.h"

#include <algorithm>

namespace wb::torch {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::unknownNode;

constexpr std::size_t maxArguments = 16;
constexpr std::size_t maxDimensions = 64; // Shape refuses more than 32 and reports it
constexpr int deepest = 8;

std::string_view leaf(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

} // namespace

std::string TensorReading::nodeText(NodeId node) const {
    if (const auto number = m_graph.number(node)) return std::to_string(*number);
    return toUtf8(m_graph.text(node));
}

std::optional<std::vector<std::uint64_t>> TensorReading::numbers(NodeId node) const {
    if (m_graph.is(node, NodeKind::Call) && m_graph.isGlobal(m_graph.callee(node), "torch", "Size")) {
        const auto given = m_graph.items(m_graph.arguments(node), 2);
        return given.empty() ? std::vector<std::uint64_t>() : numbers(given[0]);
    }
    if (!m_graph.is(node, NodeKind::Tuple) && !m_graph.is(node, NodeKind::List)) return std::nullopt;
    std::vector<std::uint64_t> out;
    for (const NodeId item : m_graph.items(node, maxDimensions)) {
        const auto number = m_graph.number(item);
        if (!number || *number < 0) return std::nullopt;
        out.push_back(static_cast<std::uint64_t>(*number));
    }
    return out;
}

// ("storage", class, key, location, count[, view]): a persistent id, or the plain tuple that some old writers left.
std::optional<Storage> TensorReading::storage(NodeId node) const {
    const NodeId id = m_graph.is(node, NodeKind::Persistent) ? m_graph.persistentId(node) : node;
    if (!m_graph.is(id, NodeKind::Tuple)) return std::nullopt;
    const auto given = m_graph.items(id, maxArguments);
    if (given.size() < 5 || m_graph.text(given[0]) != "storage" || !m_graph.is(given[1], NodeKind::Global)) return std::nullopt;
    const auto count = m_graph.number(given[4]);
    if (!count || *count < 0) return std::nullopt;
    Storage out{typeOfStorageClass(m_graph.global(given[1]).name), nodeText(given[2]), static_cast<std::uint64_t>(*count), {}, 0};
    if (given.size() < 6 || !m_graph.is(given[5], NodeKind::Tuple)) return out;
    const auto view = m_graph.items(given[5], 3);
    const auto offset = view.size() == 3 ? m_graph.number(view[1]) : std::nullopt;
    const auto length = view.size() == 3 ? m_graph.number(view[2]) : std::nullopt;
    if (!offset || !length || *offset < 0 || *length < 0) return std::nullopt;
    out.viewKey = nodeText(view[0]);
    out.viewOffset = static_cast<std::uint64_t>(*offset);
    out.count = static_cast<std::uint64_t>(*length);
    return out;
}

// (storage, offset, size, stride, …).
std::optional<TensorValue> TensorReading::dense(const Nodes& given, const ElementType* type, NodeId metadata) const {
    if (given.size() < 4) return std::nullopt;
    auto stored = storage(given[0]);
    const auto offset = m_graph.number(given[1]);
    auto sizes = numbers(given[2]);
    auto strides = numbers(given[3]);
    if (!stored || !offset || *offset < 0 || !sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
    TensorValue out;
    out.kind = TensorKind::Dense;
    out.storage = std::move(*stored);
    out.type = type != nullptr ? *type : out.storage.type;
    out.offset = static_cast<std::uint64_t>(*offset);
    out.sizes = std::move(*sizes);
    out.strides = std::move(*strides);
    const auto isSet = [&](const char* key) { return m_graph.number(m_graph.find(metadata, key)).value_or(0) != 0; };
    out.isConjugate = isSet("conj");
    out.isNegative = isSet("neg");
    return out;
}

// (storage, offset, size, stride, (scheme, scale, zero) | (scheme, scales, zeros, axis), …): the codes are the tensor.
std::optional<TensorValue> TensorReading::quantized(const Nodes& given) const {
    if (given.size() < 5) return std::nullopt;
    auto out = dense(given, nullptr, unknownNode);
    if (!out) return std::nullopt;
    const auto parameters = m_graph.items(given[4], maxArguments);
    if (parameters.empty() || !m_graph.is(parameters[0], NodeKind::Global)) return out;
    const std::string scheme = toUtf8(m_graph.global(parameters[0]).name);
    const auto plain = [this](NodeId node) { return pickle::preview(m_graph, node, 40); };
    out->notes.push_back(parameters.size() == 3
                             ? fragmentText(fragment::quantizedTensor, scheme, plain(parameters[1]), plain(parameters[2]))
                         : parameters.size() == 4 ? fragmentText(fragment::quantizedChannels, scheme, plain(parameters[3]))
                                                  : fragmentText(fragment::quantized, scheme));
    return out;
}

// (layout, (indices, values, size[, coalesced]) | (compressed, plain, values, size)).
std::optional<TensorValue> TensorReading::sparse(const Nodes& given, int depth) const {
    if (given.size() < 2) return std::nullopt;
    TensorValue out;
    out.kind = TensorKind::Sparse;
    // The layout is a call of torch.serialization._get_layout("torch.sparse_coo"), or the constant.
    if (m_graph.is(given[0], NodeKind::Call)) {
        const auto name = m_graph.items(m_graph.arguments(given[0]), 1);
        out.layout = name.empty() ? "" : leaf(m_graph.text(name[0]));
    } else if (m_graph.is(given[0], NodeKind::Global)) {
        out.layout = m_graph.global(given[0]).name;
    }
    const auto data = m_graph.items(given[1], maxArguments);
    const std::size_t tensors = out.layout == "sparse_coo" ? 2 : 3;
    if (data.size() <= tensors) return std::nullopt;
    for (std::size_t i = 0; i < tensors; ++i) {
        auto part = read(data[i], depth + 1);
        if (!part || part->kind != TensorKind::Dense) return std::nullopt;
        out.parts.push_back(std::move(*part));
    }
    auto sizes = numbers(data[tensors]);
    if (!sizes) return std::nullopt;
    out.sizes = std::move(*sizes);
    out.type = out.parts.back().type;
    return out;
}

// (buffer, sizes, strides, offsets): each row of the sizes is one tensor of the buffer. The sizes themselves are tensors, whose
// values only a reader of the file can know, so the parts are the four tensors.
std::optional<TensorValue> TensorReading::nested(const Nodes& given, int depth) const {
    if (given.size() < 4) return std::nullopt;
    TensorValue out;
    out.kind = TensorKind::Nested;
    for (std::size_t i = 0; i < 4; ++i) {
        auto part = read(given[i], depth + 1);
        if (!part || part->kind != TensorKind::Dense) return std::nullopt;
        out.parts.push_back(std::move(*part));
    }
    out.type = out.parts[0].type;
    return out;
}

// (dtype, size, stride, requires_grad).
std::optional<TensorValue> TensorReading::meta(const Nodes& given) const {
    if (given.size() < 3 || !m_graph.is(given[0], NodeKind::Global)) return std::nullopt;
    auto sizes = numbers(given[1]);
    if (!sizes) return std::nullopt;
    TensorValue out;
    out.kind = TensorKind::Meta;
    out.type = typeOfConstant(m_graph.global(given[0]).name);
    out.sizes = std::move(*sizes);
    out.why = WB_TEXT("meta tensor: no storage");
    return out;
}

std::optional<TensorValue> TensorReading::readCall(std::string_view module, std::string_view name, const Nodes& given,
                                                   int depth) const {
    if (module == "torch.nn.parameter" && name == "Parameter") return given.empty() ? std::nullopt : read(given[0], depth + 1);
    if (module == "torch._tensor" && name == "_rebuild_from_type_v2") {
        if (given.size() < 3 || !m_graph.is(given[0], NodeKind::Global)) return std::nullopt;
        const auto& function = m_graph.global(given[0]);
        return readCall(function.module, function.name, m_graph.items(given[2], maxArguments), depth + 1);
    }
    if (module != "torch._utils" || depth > deepest) return std::nullopt;
    const auto argument = [&](std::size_t i) { return i < given.size() ? given[i] : unknownNode; };
    if (name == "_rebuild_tensor" || name == "_rebuild_tensor_v2") return dense(given, nullptr, argument(6));
    if (name == "_rebuild_tensor_v3") {
        if (!m_graph.is(argument(6), NodeKind::Global)) return std::nullopt;
        const ElementType type = typeOfConstant(m_graph.global(argument(6)).name);
        return dense(given, &type, argument(7));
    }
    if (name == "_rebuild_parameter" || name == "_rebuild_parameter_with_state") return read(argument(0), depth + 1);
    if (name == "_rebuild_device_tensor_from_cpu_tensor") return read(argument(0), depth + 1);
    if (name == "_rebuild_qtensor") return quantized(given);
    if (name == "_rebuild_sparse_tensor") return sparse(given, depth);
    if (name == "_rebuild_nested_tensor") return nested(given, depth);
    if (name == "_rebuild_meta_tensor_no_storage") return meta(given);
    return std::nullopt;
}

std::optional<TensorValue> TensorReading::read(NodeId node, int depth) const {
    if (m_find && m_graph.is(node, NodeKind::Persistent)) return m_find(m_graph.persistentId(node));
    if (!m_graph.is(node, NodeKind::Call) || depth > deepest || !m_graph.is(m_graph.callee(node), NodeKind::Global))
        return std::nullopt;
    const auto& function = m_graph.global(m_graph.callee(node));
    std::string_view module = function.module;
    if (module == "torch.tensor") module = "torch._tensor"; // its name before 1.7
    const bool isRebuild = module == "torch._utils" && function.name.starts_with("_rebuild_");
    const auto given = m_graph.items(m_graph.arguments(node), maxArguments);
    auto value = readCall(module, function.name, given, depth);
    if (value || !isRebuild) return value;
    TensorValue unreadable;
    unreadable.why = WB_TEXT("its description is not supported");
    return unreadable;
}

} // namespace wb::torch
