// SPDX-License-Identifier: MIT
#include "core/formats/openvino/network.h"

#include "core/base/text.h"
#include "core/tensor/shape.h"

#include <charconv>

namespace wb::openvino {
namespace {

using xml::Scanner;
using xml::Token;

constexpr std::size_t maxFacts = 1000;

std::string_view trimmed(std::string_view text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> number(std::string_view text) {
    text = trimmed(text);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "96, 2, 32"; empty text is a scalar.
std::optional<std::vector<std::uint64_t>> numbers(std::string_view text) {
    std::vector<std::uint64_t> out;
    text = trimmed(text);
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const auto value = number(text.substr(0, comma));
        if (!value || out.size() == Shape::maximumRank) return std::nullopt;
        out.push_back(*value);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return out;
}

class NetworkReader {
public:
    NetworkReader(std::string_view text, const formats::Findings& findings, const formats::OpenOptions& options)
        : m_scanner(text), m_findings(findings), m_options(options) {}

    Result<Network> read() {
        for (Token token = m_scanner.next(); token != Token::Finish; token = m_scanner.next()) {
            if (token == Token::Bad) return damaged(m_scanner.position());
            if (token == Token::Text) takeText();
            if (token == Token::End) ended();
            if (token == Token::Begin) WB_TRY(began());
        }
        return std::move(m_network);
    }

private:
    std::unexpected<Error> damaged(std::uint64_t position) const {
        return m_findings.refuse(ErrorCode::Malformed, "openvino.xml",
                                 WB_TEXT("{} is not a valid OpenVINO network: its XML is damaged at byte {}."), position);
    }

    bool isInside(std::string_view element) const { return m_path.size() > 1 && m_path[m_path.size() - 2] == element; }

    Result<void> began() {
        const std::string_view name = m_scanner.name();
        m_path.push_back(name);
        if (m_path.size() == 1) {
            if (name != "net")
                return m_findings.refuse(ErrorCode::Malformed, "openvino.root", WB_TEXT("{} is not an OpenVINO network."));
            m_network.name = toUtf8(m_scanner.attribute("name"));
            m_network.version = toUtf8(m_scanner.attribute("version"));
            openGraph("");
            return {};
        }
        if (name == "layer" && isInside("layers")) return beginLayer();
        if (name == "edge" && isInside("edges")) return readEdge();
        if (name == "body" || name == "then_body" || name == "else_body") {
            openGraph(m_layers.empty() ? "" : fullName(*m_layers.back()) + "/");
            return {};
        }
        if (name == "port" && isInside("output") && !m_layers.empty()) m_layers.back()->output.clear();
        if (!m_layers.empty() && name == "data" && isInside("layer")) return readData();
        if (!m_layers.empty() && isInside("blobs")) return readBlob(name);
        if (!m_layers.empty() && isInside("layer") && (name == "weights" || name == "biases")) return readBlob(name);
        if (m_layers.empty()) readFact(name);
        return {};
    }

    void ended() {
        const std::string_view name = m_path.empty() ? std::string_view() : m_path.back();
        if (name == "layer" && isInside("layers") && !m_layers.empty()) m_layers.pop_back();
        if ((name == "body" || name == "then_body" || name == "else_body") && m_open.size() > 1) m_open.pop_back();
        if (!m_path.empty()) m_path.pop_back();
    }

    void takeText() {
        const bool isDim = m_path.size() > 2 && m_path.back() == "dim" && m_path[m_path.size() - 3] == "output";
        if (!isDim || m_layers.empty() || m_layers.back()->output.size() > Shape::maximumRank) return;
        // Sides that only a run decides are -1.
        m_layers.back()->output.push_back(number(m_scanner.text()).value_or(~std::uint64_t{0}));
    }

    void openGraph(std::string prefix) {
        m_open.push_back(m_network.graphs.size());
        m_network.graphs.push_back({std::move(prefix), {}});
    }

    Graph& graph() { return m_network.graphs[m_open.back()]; }
    std::string fullName(const Layer& layer) { return graph().prefix + layer.name; }

    Result<void> beginLayer() {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        if (++m_network.layerCount > m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "openvino.layer_count", WB_TEXT("{} contains more than {} layers."),
                                     m_options.limits.tensorsPerFile);
        const auto id = number(m_scanner.attribute("id"));
        if (!id) return damaged(m_scanner.position());
        Layer& layer = graph().layers[*id];
        layer.name = toUtf8(m_scanner.attribute("name"));
        layer.type = toUtf8(m_scanner.attribute("type"));
        layer.opset = toUtf8(m_scanner.attribute("version"));
        m_precision = toUtf8(m_scanner.attribute("precision"));
        m_layers.push_back(&layer);
        return {};
    }

    Result<void> readData() {
        Layer& layer = *m_layers.back();
        if (layer.type != "Const" || m_scanner.attribute("element_type").empty()) return {};
        const auto offset = number(m_scanner.attribute("offset")), bytes = number(m_scanner.attribute("size"));
        const auto shape = numbers(m_scanner.attribute("shape"));
        if (!offset || !bytes || !shape) return damaged(m_scanner.position());
        layer.blob = m_network.blobs.size();
        m_network.blobs.push_back({fullName(layer), toUtf8(m_scanner.attribute("element_type")), *shape, *offset, *bytes});
        return {};
    }

    // <weights offset size precision/>, <biases …/> and others of a layer, before version 10.
    Result<void> readBlob(std::string_view kind) {
        const auto offset = number(m_scanner.attribute("offset")), bytes = number(m_scanner.attribute("size"));
        if (!offset || !bytes) return damaged(m_scanner.position());
        const std::string_view own = m_scanner.attribute("precision");
        Layer& layer = *m_layers.back();
        std::string name = fullName(layer);
        if (layer.type != "Const") name += "." + std::string(kind);
        m_network.blobs.push_back({toUtf8(name), own.empty() ? m_precision : toUtf8(own), std::nullopt, *offset, *bytes});
        return {};
    }

    Result<void> readEdge() {
        const auto from = number(m_scanner.attribute("from-layer")), to = number(m_scanner.attribute("to-layer"));
        const auto port = number(m_scanner.attribute("to-port"));
        if (!from || !to || !port) return damaged(m_scanner.position());
        const auto layer = graph().layers.find(*to);
        if (layer != graph().layers.end()) layer->second.inputs[*port] = *from;
        return {};
    }

    // How the network was made: <MO_version value="…"/>.
    void readFact(std::string_view name) {
        const std::string_view value = m_scanner.attribute("value");
        if (value.empty() || m_network.facts.size() == maxFacts) return;
        m_network.facts.emplace_back(toUtf8(name), toUtf8(value));
    }

    Scanner m_scanner;
    const formats::Findings& m_findings;
    const formats::OpenOptions& m_options;
    Network m_network;
    std::vector<std::string_view> m_path; // elements that are open
    std::vector<std::size_t> m_open;      // graphs that are open
    std::vector<Layer*> m_layers;         // layers that are open; a map keeps their places
    std::string m_precision;              // of the present layer, before version 10
};

} // namespace

Result<Network> readNetwork(std::string_view text, const formats::Findings& findings, const formats::OpenOptions& options) {
    return NetworkReader(text, findings, options).read();
}

} // namespace wb::openvino
