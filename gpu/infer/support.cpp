// SPDX-License-Identifier: MIT
#include "gpu/infer/support.h"

#include "core/io/byte_source.h"
#include "gpu/infer/device_buffers.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>

namespace wb::gpu {
namespace {

using infer::Activation;

// What of an operation no shader computes, in the words of the field; null: everything is in the table of LayerRecorder. A new
// operation does not compile before it is here.
class MissingPart {
public:
    const char* operator()(const infer::QkvOp&) const { return nullptr; }

    const char* operator()(const infer::AttendOp& op) const {
        if (op.shape.valueLength > WB_MAX_HEAD_LENGTH) return WB_TEXT("a head size above 512");
        if (op.shape.keyLength > WB_MAX_KEY_LENGTH) return WB_TEXT("a head size of keys above 1024");
        if (op.shape.keyLength % 2 != 0 || op.shape.valueLength % 2 != 0) return WB_TEXT("an odd head size");
        return nullptr;
    }

    const char* operator()(const infer::LatentQkvOp&) const { return nullptr; } // lengths: see AttendOp
    const char* operator()(const infer::HeadwiseOp&) const { return nullptr; }
    const char* operator()(const infer::ProjectOp&) const { return nullptr; }
    const char* operator()(const infer::ConvOp& op) const { return op.activation ? activation(*op.activation) : nullptr; }
    const char* operator()(const infer::DeltaNetOp& op) const { return state(op.valueHeads, op.valueLength); }
    const char* operator()(const infer::StateSpaceOp& op) const { return state(op.heads, op.valueLength); }
    const char* operator()(const infer::GateOp&) const { return nullptr; }
    const char* operator()(const infer::ResidualOp&) const { return nullptr; }
    const char* operator()(const infer::GateUpOp& op) const { return activation(op.activation); }

    const char* operator()(const infer::RouteOp& op) const {
        const bool isMany = op.experts > WB_MAX_EXPERTS || op.used > WB_MAX_USED;
        return isMany ? WB_TEXT("more than 64 experts per token") : nullptr;
    }

    const char* operator()(const infer::ExpertsOp& op) const { return activation(op.activation); }
    const char* operator()(const infer::LayerInputOp& op) const { return activation(op.activation); }
    const char* operator()(const infer::ScaleOp&) const { return nullptr; }
    const char* operator()(const infer::AddSumOp&) const { return nullptr; }
    const char* operator()(const infer::IndexOp& op) const { return op.length % 2 != 0 ? WB_TEXT("an odd head size") : nullptr; }
    const char* operator()(const infer::MixStreamsOp&) const { return nullptr; }
    const char* operator()(const infer::InjectOp&) const { return nullptr; }
    const char* operator()(const infer::NgramOp&) const { return nullptr; }
    const char* operator()(const infer::AddNgramsOp&) const { return nullptr; }

private:
    // A dispatch has at most 65,535 workgroups, each for four rows of a state.
    static const char* state(std::uint64_t heads, std::uint64_t length) {
        constexpr std::uint64_t rows = 4 * 65'535;
        return heads > rows || length > rows / heads ? WB_TEXT("recurrent layers") : nullptr;
    }

    static const char* activation(Activation type) {
        return type == Activation::GeluErf ? WB_TEXT("GELU with the error function") : nullptr;
    }
};

const char* missingPart(const infer::Graph& graph) {
    if (graph.join) return WB_TEXT("multi-token prediction");
    for (const std::vector<infer::LayerOp>& layer : graph.layers)
        for (const infer::LayerOp& op : layer)
            if (const char* const part = std::visit(MissingPart(), op)) return part;
    return nullptr;
}

// Of one head of keys, of values or of the scores of the queries that look at it, which a binding must hold.
std::uint64_t headBytes(const infer::Graph& graph, const infer::EngineOptions& options) {
    std::uint64_t bytes = 0;
    for (const auto& [heads, window, block] : graph.caches)
        bytes = std::max({bytes, cachedBytes(options.keys, heads.keyLength), cachedBytes(options.values, heads.valueLength),
                          heads.heads / heads.kvHeads * sizeof(float)});
    return bytes * cachedPositions(options.context);
}

} // namespace

Result<void> checkDeviceRuns(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device) {
    const std::string name = io::baseName(graph.model->path);
    if (const char* const part = missingPart(graph))
        return fail(ErrorCode::Unsupported, Reason("infer.device_part"), About{name},
                    WB_TEXT("{} runs on the CPU: {} is not supported on GPUs yet."), name, part);
    const std::vector<Dtype> types = matrixTypes(graph);
    if (const auto unknown = std::ranges::find(types, nullptr, findWeightLayout); unknown != types.end())
        return fail(ErrorCode::Unsupported, Reason("infer.device_type"), About{name},
                    WB_TEXT("{} runs on the CPU: weights of type {} are not supported on GPUs yet."), name, wb::name(*unknown));
    if (headBytes(graph, options) > device.viewBytes)
        return fail(ErrorCode::Unsupported, Reason("infer.device_context"), About{name},
                    WB_TEXT("{} runs on the CPU: a context of {} tokens is too long for the GPU {}."), name, options.context,
                    device.name);
    return {};
}

std::vector<Dtype> matrixTypes(const infer::Graph& graph) {
    std::vector<Dtype> types;
    for (const infer::GraphMatrix& matrix : infer::listWeights(graph).matrices)
        if (std::ranges::find(types, matrix.linear.weight.tensor->dtype) == types.end())
            types.push_back(matrix.linear.weight.tensor->dtype);
    return types;
}

} // namespace wb::gpu
