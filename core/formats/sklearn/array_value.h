// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"
#include "core/tensor/dtype.h"

#include <map>
#include <optional>
#include <vector>

// Inside the room: what calls of numpy and joblib in a pickle describe.
namespace wb::sklearn {

struct ElementType {
    Dtype dtype = Dtype::Unknown;
    std::string text; // of an Unknown one: numpy's code
    std::uint64_t bytes = 0;
    bool isBigEndian = false;
    bool holdsObjects = false;
    bool isSure = false; // whether numpy reads exactly this type: `bytes` are those of an element
};

struct ArrayValue {
    ElementType type;
    std::vector<std::uint64_t> shape;
    bool isColumnMajor = false;
    std::optional<io::Extent> extent; // of its bytes in the pickle …
    std::vector<std::byte> copied;    // … or the bytes, where the pickle spells them as text
    bool hasCopy = false;
    pickle::NodeId objects = pickle::unknownNode; // of an array of Python objects: the list of them, if the pickle has it
};

// Where joblib put the bytes of an array: after the state of its wrapper (inline_arrays.h).
using InlineArrays = std::map<pickle::NodeId, io::Extent>;

class ArrayReading {
public:
    ArrayReading(const pickle::Graph& graph, const InlineArrays& inlined) : m_graph(graph), m_inlined(inlined) {}

    // The array, or NumPy scalar, that this node stands for; empty where it stands for anything else.
    std::optional<ArrayValue> read(pickle::NodeId node) const;

    std::optional<ElementType> dtype(pickle::NodeId node) const;
    std::optional<std::vector<std::uint64_t>> shape(pickle::NodeId node) const;
    pickle::NodeId attribute(pickle::NodeId object, std::string_view name) const;

private:
    void place(pickle::NodeId bytes, ArrayValue& array) const;
    bool statesBytes(pickle::NodeId dtype, std::uint64_t bytes) const;
    bool isPlainState(const std::vector<pickle::NodeId>& state) const;

    const pickle::Graph& m_graph;
    const InlineArrays& m_inlined;
};

bool isJoblibArray(const pickle::Graph& graph, pickle::NodeId object);

} // namespace wb::sklearn
