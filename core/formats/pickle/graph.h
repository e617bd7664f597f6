// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/tape.h"
#include "core/model/danger.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wb::pickle {

using NodeId = std::uint32_t;
inline constexpr NodeId unknownNode = 0; // of every graph

enum class NodeKind : std::uint8_t {
    Unknown, // the missing or invalid part
    None,
    Bool,
    Int,
    LongInt, // of more than 64 bits
    Float,
    Bytes,
    ByteArray,
    Text,
    Tuple,
    List,
    Set,
    FrozenSet,
    Dict,
    Global,     // a name that a loader would import
    Call,       // what a loader would get from a call
    Persistent, // what a loader would get for a persistent id
    Buffer      // bytes outside the pickle
};

enum class CallKind : std::uint8_t { Reduce, NewObject, NewObjectKeywords, Inst, Obj };

// Operations of a loader on an object after its creation.
enum class Change : std::uint32_t { Items, Pairs, State };

struct AllowedName; // names.h

struct GlobalName {
    std::string_view module; // in the tape, or kept by the graph
    std::string_view name;
    std::uint64_t position = 0; // of the opcode in its stream
    DangerLevel level = DangerLevel::C;
    const AllowedName* allowed = nullptr; // its row in the list of allowed names
};

struct Pair {
    NodeId key;
    NodeId value;
};

// The values of a pickle as nodes that are never copied: a value that is used a thousand times is one node, so that memory stays in
// proportion to the opcodes. Lists and dictionaries may hold themselves; a walk over a graph must count steps or depth.
class Graph {
public:
    explicit Graph(const Tape& tape);

    // ---- looking

    NodeKind kind(NodeId id) const { return m_nodes[id].kind; }
    bool is(NodeId id, NodeKind kind) const { return m_nodes[id].kind == kind; }
    std::size_t size() const { return m_nodes.size(); }

    bool flag(NodeId id) const { return m_nodes[id].n != 0; }                                  // of a Bool
    std::int64_t integer(NodeId id) const { return static_cast<std::int64_t>(m_nodes[id].a); } // of an Int
    double real(NodeId id) const;                                                              // of a Float
    std::optional<std::int64_t> number(NodeId id) const;                                       // of an Int or Bool

    // Of Bytes, ByteArray and Text: as stored. Text is UTF-8 as its writer had it, unchecked.
    std::uint64_t length(NodeId id) const { return m_nodes[id].b; }
    std::string_view text(NodeId id) const;            // empty where it was too long to be kept
    std::optional<io::Extent> extent(NodeId id) const; // in the source, where the bytes are there as they are

    // Of the sequences: how many, and all of them in order.
    std::uint32_t count(NodeId id) const { return m_nodes[id].n; }
    static constexpr std::size_t all = ~std::size_t{0};
    std::vector<NodeId> items(NodeId id, std::size_t most = all) const;
    std::vector<Pair> pairs(NodeId id, std::size_t most = all) const; // of a Dict, in order, with duplicates

    // The value of the last pair of a Dict with this text as its key; unknownNode if none exists.
    NodeId find(NodeId dict, std::string_view key) const;

    const GlobalName& global(NodeId id) const { return m_globals[m_nodes[id].n]; }
    bool isGlobal(NodeId id, std::string_view module, std::string_view name) const;

    CallKind callKind(NodeId id) const { return static_cast<CallKind>(m_nodes[id].sub); }
    NodeId callee(NodeId id) const { return m_nodes[id].n; }
    NodeId arguments(NodeId id) const { return static_cast<NodeId>(m_nodes[id].a); } // a Tuple in honest files
    NodeId keywords(NodeId id) const { return static_cast<NodeId>(m_nodes[id].a >> 32); }
    std::vector<NodeId> states(NodeId id) const;    // of a Call: what BUILD gave it, in order
    std::vector<NodeId> callItems(NodeId id) const; // of a Call: what was appended or added

    // Of a Call: the pairs that were set. Of a dictionary class (OrderedDict, defaultdict, Counter, dict) those that its
    // constructor was called with come first: Python 2 writes an OrderedDict as the call of the class with a list of pairs
    // (python/cpython 2.7: Lib/collections.py, OrderedDict.__reduce__).
    std::vector<Pair> callPairs(NodeId id) const;

    NodeId persistentId(NodeId id) const { return m_nodes[id].n; }

    // The class after an old torch file's persistent id ("module", class, file, source); any other node itself.
    NodeId nodeClass(NodeId id) const;

    // ---- making; the machine alone does

    NodeId make(NodeKind kind, std::uint32_t n = 0, std::uint64_t a = 0, std::uint64_t b = 0, std::uint8_t sub = 0) {
        m_nodes.push_back({kind, sub, n, a, b});
        return static_cast<NodeId>(m_nodes.size() - 1);
    }
    // A Bool, a None or a small Int is one node wherever it stands: tensors are described by millions of them.
    NodeId makeBool(bool value) { return value ? m_true : m_false; }
    NodeId makeNone() { return m_none; }
    NodeId makeInt(std::uint64_t value) {
        if (value >= m_small.size()) return make(NodeKind::Int, 0, value);
        NodeId& known = m_small[value];
        if (known == unknownNode) known = make(NodeKind::Int, 0, value);
        return known;
    }
    NodeId makeReal(double value);
    NodeId makeOwned(NodeKind kind, std::string text); // Bytes or Text that do not are in the source
    NodeId makeTuple(const NodeId* items, std::size_t count);
    NodeId makeGlobal(std::string_view module, std::string_view name, std::uint64_t position);
    void append(NodeId container, Change change, const NodeId* items, std::size_t count);
    std::uint64_t poolSize() const { return m_pool.size(); }
    void setLevel(NodeId global, DangerLevel level) { m_globals[m_nodes[global].n].level = level; }

    // The text for as long as the graph lives; each different one is kept once.
    std::string_view keepName(std::string_view text) {
        const auto known = m_names.find(text);
        return known != m_names.end() ? *known : *m_names.emplace(text).first;
    }

private:
    struct Node {
        NodeKind kind = NodeKind::Unknown;
        std::uint8_t sub = 0; // CallKind; of texts 1 where the graph owns them
        std::uint32_t n = 0;  // count, flag, index, callee or pid
        std::uint64_t a = 0;  // value, offset, first item, arguments
        std::uint64_t b = 0;  // length, or the first and the last chunk
    };

    // Looked up without a copy of the text.
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    // The lists' entry of a name, so that a name that is used a million times is looked up once.
    struct Judged {
        std::string module;
        std::string name;
        DangerLevel level = DangerLevel::C;
        const AllowedName* allowed = nullptr;
    };
    const Judged& judged(std::string_view module, std::string_view name);

    std::vector<NodeId> chunked(NodeId id, Change change, std::size_t most = all) const;
    std::vector<Pair> chunkedPairs(NodeId id, std::size_t most = all) const;
    std::vector<Pair> constructorPairs(NodeId call) const;

    const Tape* m_tape;
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_pool; // items of tuples; chunks of next, change, count and items
    std::deque<GlobalName> m_globals;  // grows without copying
    std::deque<std::string> m_owned;
    std::unordered_set<std::string, TextHash, std::equal_to<>> m_names;
    std::unordered_map<const char*, Judged> m_judged; // by where a name is; the text is compared
    Judged m_lastJudged;                              // where there are too many
    std::vector<NodeId> m_small;                      // Ints from 0 on; unknownNode: not made yet
    NodeId m_none, m_false, m_true;
};

// A value as a person may read it, as Python would print it, cut at `maximumBytes`.
std::string preview(const Graph& graph, NodeId id, std::size_t maximumBytes = 120);

} // namespace wb::pickle
