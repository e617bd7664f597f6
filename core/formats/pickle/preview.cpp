// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/pickle/graph.h"

namespace wb::pickle {
namespace {

constexpr int deepest = 8;

std::string quoted(std::string_view text, bool isBytes) {
    std::string out = isBytes ? "b'" : "'";
    for (const char c : isBytes ? std::string(text) : escapeControls(toUtf8(text))) {
        const auto byte = static_cast<unsigned char>(c);
        if (isBytes && (byte < 0x20 || byte > 0x7E)) out += fmt::format("\\x{:02x}", byte);
        else out += c;
    }
    return out + "'";
}

// Writes until the text is long enough; what is deeper or longer becomes "…".
class Printer {
public:
    Printer(const Graph& graph, std::size_t budget) : m_graph(graph), m_budget(budget) {}

    void print(NodeId id, int depth) {
        if (m_out.size() > m_budget || depth > deepest) return add("…");
        switch (m_graph.kind(id)) {
        case NodeKind::None: return add("None");
        case NodeKind::Bool: return add(m_graph.flag(id) ? "True" : "False");
        case NodeKind::Int: return add(std::to_string(m_graph.integer(id)));
        case NodeKind::LongInt: return add(fmt::format("an integer of {} bytes", m_graph.length(id)));
        case NodeKind::Float: return add(shortest(m_graph.real(id)));
        case NodeKind::Text: return add(quoted(m_graph.text(id).substr(0, m_budget), false));
        case NodeKind::Bytes:
        case NodeKind::ByteArray: return add(quoted(m_graph.text(id).substr(0, m_budget), true));
        case NodeKind::Tuple: return printTuple(id, depth);
        case NodeKind::List: return printAll("[", m_graph.items(id, m_budget + 1), "]", depth);
        case NodeKind::Set:
        case NodeKind::FrozenSet: return printAll("{", m_graph.items(id, m_budget + 1), "}", depth);
        case NodeKind::Dict: return printPairs(m_graph.pairs(id, m_budget + 1), depth);
        case NodeKind::Global: return add(nodeIdName(id));
        case NodeKind::Call: return printCall(id, depth);
        case NodeKind::Persistent: add("persistent "); return print(m_graph.persistentId(id), depth + 1);
        default: return add("?");
        }
    }

    std::string take() { return std::move(m_out); }

private:
    void add(std::string_view text) { m_out += text; }

    std::string nodeIdName(NodeId id) const {
        const GlobalName& name = m_graph.global(id);
        return escapeControls(toUtf8(std::string(name.module) + "." + std::string(name.name)));
    }

    void printAll(const char* open, const std::vector<NodeId>& items, const char* close, int depth) {
        add(open);
        for (std::size_t i = 0; i < items.size() && m_out.size() <= m_budget; ++i) {
            if (i > 0) add(", ");
            print(items[i], depth + 1);
        }
        add(close);
    }

    void printTuple(NodeId id, int depth) {
        printAll("(", m_graph.items(id, m_budget + 1), m_graph.count(id) == 1 ? ",)" : ")", depth);
    }

    void printPairs(const std::vector<Pair>& pairs, int depth) {
        add("{");
        for (std::size_t i = 0; i < pairs.size() && m_out.size() <= m_budget; ++i) {
            if (i > 0) add(", ");
            print(pairs[i].key, depth + 1);
            add(": ");
            print(pairs[i].value, depth + 1);
        }
        add("}");
    }

    void printCall(NodeId id, int depth) {
        print(m_graph.callee(id), depth + 1);
        if (m_graph.is(m_graph.arguments(id), NodeKind::Tuple)) return printTuple(m_graph.arguments(id), depth + 1);
        add("(");
        print(m_graph.arguments(id), depth + 1);
        add(")");
    }

    const Graph& m_graph;
    std::size_t m_budget;
    std::string m_out;
};

} // namespace

std::string preview(const Graph& graph, NodeId id, std::size_t maximumBytes) {
    Printer printer(graph, maximumBytes);
    printer.print(id, 0);
    const std::string whole = printer.take();
    const std::string_view shown = utf8Prefix(whole, maximumBytes);
    return shown.size() < whole.size() ? std::string(shown) + "…" : whole;
}

} // namespace wb::pickle
