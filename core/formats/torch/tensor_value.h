// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"
#include "core/tensor/dtype.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wb::torch {

// The element type of a storage class or of a dtype constant: both have their spelling of "float32" … "FloatStorage".
struct ElementType {
    Dtype dtype = Dtype::Unknown;
    std::string text;        // of an Unknown one, as docs/reference/formats.md, "Element types" spells it
    std::uint64_t bytes = 0; // of an element; 0: not known
    bool isUntyped = false;  // counts are in bytes and the tensor names its type
};
ElementType typeOfStorageClass(std::string_view name);
ElementType typeOfConstant(std::string_view name); // of torch.float32 the "float32"

// A storage as described by a persistent id.
struct Storage {
    ElementType type;
    std::string key;
    std::uint64_t count = 0; // elements of its class, bytes where it is untyped
    // Of the legacy form: the storage is a part of another one, from this element on.
    std::string viewKey;
    std::uint64_t viewOffset = 0;
};

enum class TensorKind : std::uint8_t {
    Dense,
    Sparse, // computed from `parts`
    Meta,   // has no values
    Nested, // `parts` are its elements
    Unreadable
};

// A tensor as its rebuild call describes it, before anybody looks whether its storage is there.
struct TensorValue {
    TensorKind kind = TensorKind::Unreadable;
    ElementType type;
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> strides; // in elements, one a dimension
    std::uint64_t offset = 0;           // in elements
    Storage storage;
    bool isConjugate = false;
    bool isNegative = false;
    std::string layout;             // of a sparse one: "sparse_coo" …
    std::vector<TensorValue> parts; // of a sparse one: indices and values, or compressed and plain indices and values
    std::vector<std::string> notes;
    std::string why; // of an unreadable one: a fragment of English
};

// Reads rebuild calls of torch (torch/_utils.py); they are compared with the patterns of their arguments and never called.
class TensorReading {
public:
    explicit TensorReading(const pickle::Graph& graph) : m_graph(graph) {}

    // Of the tar form, whose tensors are named by persistent ids.
    using ByPersistentId = std::function<std::optional<TensorValue>(pickle::NodeId pid)>;
    void setPersistentTensors(ByPersistentId find) { m_find = std::move(find); }

    // The tensor that this node stands for; empty where it stands for anything else.
    std::optional<TensorValue> read(pickle::NodeId node, int depth = 0) const;

    std::optional<Storage> storage(pickle::NodeId node) const;

private:
    using Nodes = std::vector<pickle::NodeId>;

    std::optional<TensorValue> readCall(std::string_view module, std::string_view name, const Nodes& given, int depth) const;
    std::optional<TensorValue> dense(const Nodes& given, const ElementType* type, pickle::NodeId metadata) const;
    std::optional<TensorValue> quantized(const Nodes& given) const;
    std::optional<TensorValue> sparse(const Nodes& given, int depth) const;
    std::optional<TensorValue> nested(const Nodes& given, int depth) const;
    std::optional<TensorValue> meta(const Nodes& given) const;
    std::optional<std::vector<std::uint64_t>> numbers(pickle::NodeId node) const; // of a tuple, list or torch.Size
    std::string nodeText(pickle::NodeId node) const;

    const pickle::Graph& m_graph;
    ByPersistentId m_find;
};

} // namespace wb::torch
