// SPDX-License-Identifier: MIT
#include "core/formats/ncnn/layers.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wb::ncnn {
namespace {

using Plan = std::vector<WeightRead>;

class Planner {
public:
    explicit Planner(const Layer& layer) : m_layer(layer) {}

    std::optional<Plan> plan() {
        const std::string_view type = m_layer.type;
        if (type.find("Deconvolution") != std::string_view::npos || type == "DeformableConv2D") deconvolution();
        else if (type.starts_with("Convolution")) convolution();
        else if (type == "InnerProduct") innerProduct();
        else if (type == "Embed") embed();
        else if (type == "LSTM") recurrent(4, 4);
        else if (type == "GRU") recurrent(3, 4);
        else if (type == "RNN") recurrent(1, 1);
        else if (type == "MultiHeadAttention") attention();
        else if (type == "Gemm") gemm();
        else if (type == "MemoryData") memoryData();
        else if (!plain(type) && !hasNone(type)) return std::nullopt;
        return m_isGood ? std::optional(m_plan) : std::nullopt;
    }

private:
    std::int64_t number(std::int64_t key, std::int64_t fallback = 0) const {
        const auto found = m_layer.parameters.find(key);
        return found == m_layer.parameters.end() ? fallback : found->second;
    }
    // Sizes are never negative.
    std::uint64_t size(std::int64_t key, std::int64_t fallback = 0) {
        const std::int64_t value = number(key, fallback);
        if (value < 0) m_isGood = false;
        return value < 0 ? 0 : static_cast<std::uint64_t>(value);
    }
    std::uint64_t product(std::initializer_list<std::uint64_t> factors) {
        std::uint64_t out = 1;
        for (const std::uint64_t factor : factors) {
            const auto next = checked::mul(out, factor);
            if (!next) m_isGood = false;
            out = next.value_or(0);
        }
        return out;
    }
    void tagged(const char* name, std::uint64_t elements, std::vector<std::uint64_t> shape = {}) {
        m_plan.push_back({name, elements, true, std::move(shape)});
    }
    void raw(const char* name, std::uint64_t elements) { m_plan.push_back({name, elements}); }

    // [outputs, inputs of a group, height, width], where the numbers fit.
    std::vector<std::uint64_t> kernelShape(std::uint64_t elements) {
        const std::uint64_t outputs = size(0), width = size(1), height = size(11, number(1));
        const std::uint64_t kernel = product({outputs, width, height});
        if (kernel == 0 || elements % kernel != 0) return {};
        const bool isFlat = m_layer.type.find("1D") != std::string::npos, isDeep = m_layer.type.find("3D") != std::string::npos;
        if (isFlat)
            return elements % product({outputs, width}) == 0 ? std::vector{outputs, elements / product({outputs, width}), width}
                                                             : std::vector<std::uint64_t>();
        if (isDeep) return {};
        return {outputs, elements / kernel, height, width};
    }

    void convolution() {
        const std::uint64_t outputs = size(0), weights = size(6);
        const std::int64_t int8 = number(8);
        if (number(19) != 0) return; // given when it runs
        tagged("weight", weights, kernelShape(weights));
        if (number(5) != 0) raw("bias", outputs);
        if (int8 == 0) return;
        if (m_layer.type.find("DepthWise") == std::string::npos) {
            raw("weight_int8_scales", outputs);
            raw("bottom_blob_int8_scales", 1);
        } else {
            const bool isPerGroup = int8 == 1 || int8 == 101;
            raw("weight_int8_scales", isPerGroup ? size(7, 1) : 1);
            raw("bottom_blob_int8_scales", 1);
        }
        if (int8 > 100) raw("top_blob_int8_scales", 1);
    }

    void deconvolution() {
        if (m_layer.type != "DeformableConv2D" && number(28) != 0) return; // given when it runs
        tagged("weight", size(6));
        if (number(5) != 0) raw("bias", size(0));
    }

    void innerProduct() {
        const std::uint64_t outputs = size(0), weights = size(2);
        tagged("weight", weights,
               outputs != 0 && weights % outputs == 0 ? std::vector{outputs, weights / outputs} : std::vector<std::uint64_t>());
        if (number(1) != 0) raw("bias", outputs);
        if (number(8) == 0) return;
        raw("weight_int8_scales", outputs);
        raw("bottom_blob_int8_scales", 1);
    }

    void embed() {
        tagged("weight", size(3), {size(1), size(0)});
        if (number(2) != 0) raw("bias", size(0));
        if (number(18) != 0) raw("weight_int8_scales", 1);
    }

    // Gates of the weights and of the bias.
    void recurrent(std::uint64_t gates, std::uint64_t biases) {
        const std::uint64_t outputs = size(0), hidden = m_layer.type == "LSTM" ? size(3, number(0)) : outputs;
        const std::uint64_t directions = number(2) == 2 ? 2 : 1, rows = product({gates, hidden, directions});
        if (rows == 0) {
            m_isGood = false;
            return;
        }
        const std::uint64_t inputs = size(1) / rows;
        tagged("weight_xc", product({inputs, rows}));
        tagged("bias_c", product({biases, hidden, directions}));
        tagged("weight_hc", product({outputs, rows}));
        if (hidden != outputs) tagged("weight_hr", product({hidden, outputs, directions}));
        if (number(8) == 0) return;
        raw("weight_hc_int8_scales", rows);
        raw("weight_xc_int8_scales", rows);
    }

    void attention() {
        const std::uint64_t embedding = size(0), queries = embedding == 0 ? 0 : size(2) / embedding;
        const std::uint64_t keys = size(3, number(0)), values = size(4, number(0));
        if (number(18) >= 400) m_isGood = false; // codes in blocks
        tagged("q_weight", product({embedding, queries}));
        raw("q_bias", embedding);
        tagged("k_weight", product({embedding, keys}));
        raw("k_bias", embedding);
        tagged("v_weight", product({embedding, values}));
        raw("v_bias", embedding);
        tagged("out_weight", product({queries, embedding}));
        raw("out_bias", queries);
        if (number(18) == 0) return;
        for (const char* name : {"q_weight_int8_scales", "k_weight_int8_scales", "v_weight_int8_scales"}) raw(name, embedding);
        raw("out_weight_int8_scale", 1);
    }

    void gemm() {
        const std::uint64_t m = size(7), n = size(8), k = size(9);
        if (number(18) >= 400) m_isGood = false; // codes in blocks
        if (number(4) != 0) tagged("a", product({m, k}));
        if (number(5) != 0) tagged("b", product({n, k}));
        const std::int64_t kind = number(10);
        if (number(6) != 0 && kind != -1) {
            const std::array sizes = {std::uint64_t{1}, m, m, product({n, m}), n};
            if (kind < 0 || kind >= static_cast<std::int64_t>(sizes.size())) m_isGood = false;
            else tagged("c", sizes[static_cast<std::size_t>(kind)]);
        }
        if (number(18) == 0) return;
        if (number(4) != 0) raw("a_int8_scales", m);
        if (number(5) != 0) raw("b_int8_scale", 1);
    }

    void memoryData() {
        const auto side = [&](std::int64_t key) { return std::max<std::uint64_t>(size(key), 1); };
        const std::uint64_t elements = product({side(0), side(1), side(11), side(2)});
        if (number(21, 1) == 0) tagged("data", elements);
        else raw("data", elements);
    }

    // Layers whose weights are lists of raw numbers.
    bool plain(std::string_view type) {
        if (type == "BatchNorm") {
            for (const char* name : {"slope", "mean", "variance", "bias"}) raw(name, size(0));
        } else if (type == "Scale") {
            if (number(0) == -233) return true;
            raw("scale", size(0));
            if (number(1) != 0) raw("bias", size(0));
        } else if (type == "Bias") {
            raw("bias", size(0));
        } else if (type == "PReLU") {
            raw("slope", size(0));
        } else if (type == "GroupNorm" || type == "InstanceNorm" || type == "LayerNorm") {
            const std::uint64_t channels = size(type == "GroupNorm" ? 1 : 0);
            if (number(type == "GroupNorm" ? 3 : 2, 1) == 0) return true;
            raw("gamma", channels);
            raw("beta", channels);
        } else if (type == "RMSNorm") {
            if (number(2, 1) != 0) raw("gamma", size(0));
        } else if (type == "Normalize") {
            raw("scale", size(3));
        } else if (type == "Quantize") {
            raw("scale", size(0, 1));
        } else if (type == "Dequantize") {
            raw("scale", size(0, 1));
            raw("bias", size(1));
        } else if (type == "Requantize") {
            raw("scale_in", size(0, 1));
            raw("scale_out", size(1, 1));
            raw("bias", size(2));
        } else {
            return false;
        }
        return true;
    }

    static bool hasNone(std::string_view type) {
        static constexpr std::string_view names[] = {"AbsVal",
                                                     "ArgMax",
                                                     "BinaryOp",
                                                     "BNLL",
                                                     "Cast",
                                                     "CELU",
                                                     "Clip",
                                                     "Concat",
                                                     "ConvertPacking",
                                                     "CopyTo",
                                                     "Crop",
                                                     "CumulativeSum",
                                                     "DeepCopy",
                                                     "DetectionOutput",
                                                     "Diag",
                                                     "Dropout",
                                                     "Einsum",
                                                     "Eltwise",
                                                     "ELU",
                                                     "Erf",
                                                     "Exp",
                                                     "ExpandDims",
                                                     "Flatten",
                                                     "Flip",
                                                     "Fold",
                                                     "GELU",
                                                     "GLU",
                                                     "GridSample",
                                                     "HardSigmoid",
                                                     "HardSwish",
                                                     "Input",
                                                     "Interp",
                                                     "InverseSpectrogram",
                                                     "Log",
                                                     "LRN",
                                                     "MatMul",
                                                     "Mish",
                                                     "MVN",
                                                     "Noop",
                                                     "Packing",
                                                     "Padding",
                                                     "Permute",
                                                     "PixelShuffle",
                                                     "Pooling",
                                                     "Pooling1D",
                                                     "Pooling3D",
                                                     "Power",
                                                     "PriorBox",
                                                     "Proposal",
                                                     "PSROIPooling",
                                                     "Reduction",
                                                     "ReLU",
                                                     "Reorg",
                                                     "Reshape",
                                                     "ROIAlign",
                                                     "ROIPooling",
                                                     "RotaryEmbed",
                                                     "SELU",
                                                     "Shrink",
                                                     "ShuffleChannel",
                                                     "Sigmoid",
                                                     "Silence",
                                                     "Slice",
                                                     "Softmax",
                                                     "Softplus",
                                                     "Spectrogram",
                                                     "Split",
                                                     "SPP",
                                                     "Squeeze",
                                                     "StatisticsPooling",
                                                     "SDPA",
                                                     "Swish",
                                                     "TanH",
                                                     "Threshold",
                                                     "Tile",
                                                     "UnaryOp",
                                                     "Unfold",
                                                     "Yolov3DetectionOutput",
                                                     "YoloDetectionOutput"};
        return std::ranges::find(names, type) != std::end(names);
    }

    const Layer& m_layer;
    Plan m_plan;
    bool m_isGood = true;
};

} // namespace

std::optional<Plan> weightPlan(const Layer& layer) { return Planner(layer).plan(); }

} // namespace wb::ncnn
