// SPDX-License-Identifier: MIT
#include "core/formats/pickle/graph.h"

#include "core/formats/pickle/names.h"

#include <algorithm>
#include <bit>

namespace wb::pickle {

Graph::Graph(const Tape& tape) : m_tape(&tape) {
    constexpr std::size_t smallInts = 4097; // the widths of most layers
    // Room is not touched before it is used, and growing step by step would copy all that is there again and again. A pickle of
    // tensors makes a node of about 20 bytes.
    constexpr std::uint64_t bytesPerNode = 16, maxReserved = 4'000'000;
    m_nodes.reserve(std::min(tape.size() / bytesPerNode + 64, maxReserved));
    m_nodes.push_back({});
    m_pool.push_back(0);
    m_small.resize(smallInts);
    m_none = make(NodeKind::None);
    m_false = make(NodeKind::Bool, 0);
    m_true = make(NodeKind::Bool, 1);
}

double Graph::real(NodeId id) const { return std::bit_cast<double>(m_nodes[id].a); }

NodeId Graph::makeReal(double value) { return make(NodeKind::Float, 0, std::bit_cast<std::uint64_t>(value)); }

std::optional<std::int64_t> Graph::number(NodeId id) const {
    if (is(id, NodeKind::Int)) return integer(id);
    if (is(id, NodeKind::Bool)) return flag(id) ? 1 : 0;
    return std::nullopt;
}

std::string_view Graph::text(NodeId id) const {
    const Node& node = m_nodes[id];
    if (node.kind != NodeKind::Text && node.kind != NodeKind::Bytes && node.kind != NodeKind::ByteArray) return {};
    return node.sub == 1 ? std::string_view(m_owned[node.a]) : m_tape->text(node.a, node.b);
}

std::optional<io::Extent> Graph::extent(NodeId id) const {
    const Node& node = m_nodes[id];
    return node.sub == 1 ? std::nullopt : io::Extent::make(m_tape->size(), node.a, node.b);
}

NodeId Graph::makeOwned(NodeKind kind, std::string text) {
    const std::size_t length = text.size();
    m_owned.push_back(std::move(text));
    return make(kind, 0, m_owned.size() - 1, length, 1);
}

NodeId Graph::makeTuple(const NodeId* items, std::size_t count) {
    const std::uint64_t first = m_pool.size();
    m_pool.insert(m_pool.end(), items, items + count);
    return make(NodeKind::Tuple, static_cast<std::uint32_t>(count), first);
}

const Graph::Judged& Graph::judged(std::string_view module, std::string_view name) {
    constexpr std::size_t most = 4096;
    const auto known = m_judged.find(name.data());
    if (known != m_judged.end() && known->second.module == module && known->second.name == name) return known->second;
    m_lastJudged = {std::string(module), std::string(name), globalDangerLevel(module, name), allowedName(module, name)};
    if (known == m_judged.end() && m_judged.size() >= most) return m_lastJudged;
    return m_judged[name.data()] = m_lastJudged;
}

NodeId Graph::makeGlobal(std::string_view module, std::string_view name, std::uint64_t position) {
    const Judged& found = judged(module, name);
    m_globals.push_back({module, name, position, found.level, found.allowed});
    return make(NodeKind::Global, static_cast<std::uint32_t>(m_globals.size() - 1));
}

void Graph::append(NodeId container, Change change, const NodeId* items, std::size_t count) {
    if (count == 0) return;
    const auto chunk = static_cast<std::uint32_t>(m_pool.size());
    m_pool.insert(m_pool.end(), {0, static_cast<std::uint32_t>(change), static_cast<std::uint32_t>(count)});
    m_pool.insert(m_pool.end(), items, items + count);
    Node& node = m_nodes[container];
    const auto last = static_cast<std::uint32_t>(node.b >> 32);
    if (last != 0) m_pool[last] = chunk;
    const std::uint32_t first = last == 0 ? chunk : static_cast<std::uint32_t>(node.b);
    node.b = std::uint64_t{chunk} << 32 | first;
    if (node.kind != NodeKind::Call) node.n += static_cast<std::uint32_t>(change == Change::Pairs ? count / 2 : count);
}

std::vector<NodeId> Graph::chunked(NodeId id, Change change, std::size_t most) const {
    std::vector<NodeId> out;
    for (auto chunk = static_cast<std::uint32_t>(m_nodes[id].b); chunk != 0 && out.size() < most; chunk = m_pool[chunk]) {
        if (m_pool[chunk + 1] != static_cast<std::uint32_t>(change)) continue;
        const auto first = m_pool.begin() + chunk + 3;
        const std::size_t count = std::min<std::size_t>(m_pool[chunk + 2], most - out.size());
        out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(count));
    }
    return out;
}

std::vector<Pair> Graph::chunkedPairs(NodeId id, std::size_t most) const {
    const std::vector<NodeId> flat = chunked(id, Change::Pairs, most > all / 2 ? all : 2 * most);
    std::vector<Pair> out;
    out.reserve(flat.size() / 2);
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2) out.push_back({flat[i], flat[i + 1]});
    return out;
}

std::vector<NodeId> Graph::items(NodeId id, std::size_t most) const {
    const Node& node = m_nodes[id];
    if (node.kind == NodeKind::Tuple) {
        const auto first = m_pool.begin() + static_cast<std::ptrdiff_t>(node.a);
        return {first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(node.n, most))};
    }
    if (node.kind == NodeKind::List || node.kind == NodeKind::Set || node.kind == NodeKind::FrozenSet)
        return chunked(id, Change::Items, most);
    return {};
}

std::vector<Pair> Graph::pairs(NodeId id, std::size_t most) const {
    return is(id, NodeKind::Dict) ? chunkedPairs(id, most) : std::vector<Pair>();
}

NodeId Graph::find(NodeId dict, std::string_view key) const {
    NodeId found = unknownNode;
    for (const Pair& pair : pairs(dict))
        if (text(pair.key) == key && m_nodes[pair.key].b == key.size()) found = pair.value;
    return found;
}

bool Graph::isGlobal(NodeId id, std::string_view module, std::string_view name) const {
    return is(id, NodeKind::Global) && global(id).name == name && global(id).module == module;
}

NodeId Graph::nodeClass(NodeId id) const {
    if (!is(id, NodeKind::Persistent) || !is(persistentId(id), NodeKind::Tuple)) return id;
    const std::vector<NodeId> given = items(persistentId(id), 4);
    return given.size() == 4 && text(given[0]) == "module" && is(given[1], NodeKind::Global) ? given[1] : id;
}

std::vector<NodeId> Graph::states(NodeId id) const {
    return is(id, NodeKind::Call) ? chunked(id, Change::State) : std::vector<NodeId>();
}
std::vector<NodeId> Graph::callItems(NodeId id) const {
    return is(id, NodeKind::Call) ? chunked(id, Change::Items) : std::vector<NodeId>();
}

std::vector<Pair> Graph::callPairs(NodeId id) const {
    if (!is(id, NodeKind::Call)) return {};
    std::vector<Pair> out = constructorPairs(id);
    const std::vector<Pair> set = chunkedPairs(id);
    out.insert(out.end(), set.begin(), set.end());
    return out;
}

// Empty unless every item of the argument is a pair, as Python demands.
std::vector<Pair> Graph::constructorPairs(NodeId call) const {
    if (!is(callee(call), NodeKind::Global)) return {};
    const GlobalName& name = global(callee(call));
    const bool isDictionary = (name.module == "collections" && (name.name == "OrderedDict" || name.name == "Counter")) ||
                              ((name.module == "builtins" || name.module == "__builtin__") && name.name == "dict");
    const bool hasFactory = name.module == "collections" && name.name == "defaultdict"; // its first argument
    if (!isDictionary && !hasFactory) return {};
    const std::vector<NodeId> given = items(arguments(call), 2);
    const std::size_t content = hasFactory ? 1 : 0;
    if (given.size() <= content) return {};
    if (is(given[content], NodeKind::Dict)) return pairs(given[content]);
    std::vector<Pair> out;
    for (const NodeId item : items(given[content])) {
        const std::vector<NodeId> two = items(item, 3);
        if (two.size() != 2) return {};
        out.push_back({two[0], two[1]});
    }
    return out;
}

} // namespace wb::pickle
