// SPDX-License-Identifier: MIT
#include "tests/unit/infer/graph_text.h"

#include <fmt/format.h>

namespace wb::test {
namespace {

using namespace infer;

const char* text(const NormOp& norm) {
    return norm.kind == NormKind::None  ? "no norm"
           : norm.kind == NormKind::Rms ? "rms"
           : norm.bias                  ? "layer-norm+bias"
                                        : "layer-norm";
}

const char* text(Activation type) {
    static constexpr const char* names[] = {"silu", "gelu", "gelu-erf", "relu", "relu2", "swiglu-clamped"};
    return names[static_cast<std::size_t>(type)];
}

const char* text(arch::Gating type) {
    static constexpr const char* names[] = {"none", "softmax", "sigmoid", "softmax-of-chosen", "sqrt-softplus"};
    return names[static_cast<std::size_t>(type)];
}

const char* text(RowTarget target) { return target == RowTarget::Sum ? " to sum" : ""; }

std::string text(const RopeOp& rope) {
    std::string out = fmt::format("{}:{}", rope.halves ? "halves" : "adjacent", rope.dimensions);
    if (rope.yarn) out += fmt::format(" yarn/{:g}", 1 / rope.stretch);
    else if (rope.stretch != 1) out += fmt::format(" /{:g}", 1 / rope.stretch);
    if (rope.divisors) out += " divisors";
    if (rope.longDivisors) out += " long/short";
    return out;
}

class OpText {
public:
    explicit OpText(const Graph& graph) : m_graph(graph) {}

    std::string operator()(const QkvOp& op) const {
        const HeadShape& s = op.shape;
        std::string out = fmt::format("qkv {} {}/{}x{}", text(op.norm), s.heads, s.kvHeads, s.keyLength);
        if (s.valueLength != s.keyLength) out += fmt::format("/{}", s.valueLength);
        out += op.rope ? " " + text(m_graph.ropes[*op.rope]) : " no rope";
        if (op.q.bias) out += " bias";
        if (!op.k) out += " shared cache";
        else if (op.k.weight == op.v.weight) out += " v=k";
        if (op.qNorm && !op.qNorm.weight) out += " plain";
        if (op.qNorm) out += op.normsWhole ? " qk-norm-whole" : op.normsAfterRope ? " qk-norm-after" : " qk-norm";
        if (op.vNorm) out += " v-norm";
        if (op.gates) out += " gates";
        if (op.temperature.scale > 0) out += fmt::format(" temperature {:g}@{}", op.temperature.scale, op.temperature.context);
        if (op.temperature.offset > 0) out += fmt::format("+{}", op.temperature.offset);
        return out;
    }

    std::string operator()(const AttendOp& op) const {
        std::string out = fmt::format("attend {:.4g}", op.scale);
        if (op.window > 0) out += fmt::format(" {} {}", op.chunked ? "chunk" : "window", op.window);
        if (op.selects) out += " selected";
        if (op.softcap > 0) out += fmt::format(" softcap {:g}", op.softcap);
        if (op.sinks) out += " sinks";
        return out;
    }

    std::string operator()(const LatentQkvOp& op) const {
        std::string out =
            fmt::format("latent {} {}x{}/{}", text(op.norm), op.shape.heads, op.shape.keyLength, op.shape.valueLength);
        if (op.compress) out += fmt::format(" from {}", op.compress.weight.count);
        out += op.rope ? " " + text(m_graph.ropes[*op.rope]) : " no rope";
        return out;
    }

    std::string operator()(const HeadwiseOp& op) const { return fmt::format("headwise {}x{}", op.heads, op.rows()); }

    std::string operator()(const ProjectOp& op) const {
        std::string out = op.from ? std::string("project mixed") : fmt::format("project {}", text(op.norm));
        for (const Linear& matrix : op.matrices)
            if (matrix) out += fmt::format(" {}", matrix.weight.count);
        return out;
    }

    std::string operator()(const ConvOp& op) const {
        return fmt::format("conv {}x{}{}{}{}{}", op.channels, op.width, op.dilation > 1 ? fmt::format("/{}", op.dilation) : "",
                           op.bias ? " bias" : "", op.activation ? fmt::format(" {}", text(*op.activation)) : "",
                           op.inputGates ? " gated" : "");
    }

    std::string operator()(const DeltaNetOp& op) const {
        return fmt::format("delta {}/{}x{}/{}{}{}", op.valueHeads, op.keyHeads, op.keyLength, op.valueLength,
                           op.tiled ? " tiled" : "", op.channelDecays ? " channel-decays" : "");
    }

    std::string operator()(const StateSpaceOp& op) const {
        return fmt::format("state-space {}/{}x{}/{}", op.heads, op.groups, op.valueLength, op.stateLength);
    }

    std::string operator()(const GateOp& op) const {
        const char* const kind = op.kind == GateKind::Silu ? "silu" : "sigmoid";
        if (op.gatesFirst) return fmt::format("gate {} {} {}x{}", kind, text(op.norm), op.heads, op.length);
        return fmt::format("gate {} {} {}x{}", text(op.norm), kind, op.heads, op.length);
    }

    std::string operator()(const ResidualOp& op) const {
        std::string out = op.input == RowInput::Attended ? "+attended" : op.input == RowInput::Hidden ? "+hidden" : "+mixed";
        if (op.norm) out += fmt::format(" {}", text(op.norm));
        if (op.linear.bias) out += " bias";
        if (op.scale != 1) out += fmt::format(" x{:g}", op.scale);
        if (op.sharedGate) out += " gated";
        return out + text(op.target);
    }

    std::string operator()(const GateUpOp& op) const {
        return fmt::format("{} {} {} {}{}", op.gate ? "gate-up" : "up", text(op.norm), text(op.activation), op.up.weight.count,
                           op.up.bias ? " bias" : "");
    }

    std::string operator()(const RouteOp& op) const {
        std::string out = fmt::format("route {} {} of {}", text(op.gating), op.used, op.experts);
        if (op.normalizes) out += " normalized";
        if (op.scale != 1) out += fmt::format(" x{:g}", op.scale);
        if (op.selectionBias) out += " selection-bias";
        if (op.groupsUsed < op.groups) out += fmt::format(" groups {} of {}", op.groupsUsed, op.groups);
        if (op.router.bias) out += " bias";
        if (op.sharedGate) out += " shared-gate";
        if (op.logitScale != 1) out += fmt::format(" logits x{:g}", op.logitScale);
        if (op.expertScale) out += " expert-scale";
        return out;
    }

    std::string operator()(const ExpertsOp& op) const {
        std::string out = fmt::format("{}experts {} {}", op.gate ? "" : "ungated ", text(op.activation), op.inner);
        if (op.gateBias) out += " bias";
        if (op.scale != 1) out += fmt::format(" x{:g}", op.scale);
        if (op.scalesInputs) out += " scaled-inputs";
        if (op.outNorm) out += fmt::format(" {}", text(op.outNorm));
        return out + text(op.target);
    }

    std::string operator()(const LayerInputOp& op) const {
        return fmt::format("layer-input {} {}", text(op.activation), op.gate.count);
    }
    std::string operator()(const ScaleOp&) const { return "scale"; }
    std::string operator()(const AddSumOp& op) const { return fmt::format("+sum {}", text(op.norm)); }

    std::string operator()(const IndexOp& op) const {
        std::string out = fmt::format("index {}x{} top {}", op.heads, op.length, op.topK);
        if (op.block > 1) out += fmt::format(" blocks {}", op.block);
        if (op.fromCompressed) out += " compressed";
        if (op.weights) out += " weights";
        return out;
    }

    std::string operator()(const MixStreamsOp& op) const { return fmt::format("mix {} by {}", op.streams, op.down.weight.count); }
    std::string operator()(const InjectOp&) const { return "inject"; }
    std::string operator()(const NgramOp& op) const { return fmt::format("ngrams {} heads {}", op.size, op.heads()); }
    std::string operator()(const AddNgramsOp&) const { return "+ngrams"; }

private:
    const Graph& m_graph;
};

} // namespace

std::string textOfLayer(const Graph& graph, std::size_t layer) {
    std::string out;
    for (const LayerOp& op : graph.layers[layer]) out += (out.empty() ? "" : "; ") + std::visit(OpText(graph), op);
    return out;
}

std::string textOfEnds(const Graph& graph) {
    std::string out = fmt::format("embed x{:.4g}", graph.embed.scale);
    if (graph.embed.positions) out += " positions";
    if (graph.layerInputs) out += fmt::format("; layer-inputs {}", graph.layerInputs->each);
    if (graph.streams > 0) out += fmt::format("; streams {}", graph.streams);
    out += fmt::format("; head {}", graph.head->mix ? "mix" : text(graph.head->norm));
    if (graph.head->output.bias) out += " bias";
    if (graph.head->output.weight == graph.embed.table) out += " tied";
    if (graph.head->scale != 1) out += fmt::format(" x{:g}", graph.head->scale);
    if (graph.head->softcap > 0) out += fmt::format(" softcap {:g}", graph.head->softcap);
    return out;
}

} // namespace wb::test
