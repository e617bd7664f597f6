// SPDX-License-Identifier: MIT
#include "core/memory/recurrent.h"

#include "core/memory/model_keys.h"

#include <algorithm>

namespace wb::memory {
namespace {

constexpr std::uint64_t widestShape = 1 << 18; // products of three of these, times a batch, do not wrap around

class Reader {
public:
    explicit Reader(const Model& model) : m_keys(model) {}

    std::uint64_t operator()(const char* key, std::size_t layer = 0) const {
        return std::min(m_keys.number(key, layer).value_or(0), widestShape);
    }
    bool isPerLayer(const char* key) const { return m_keys.isPerLayer(key); }

private:
    Keys m_keys;
};

Recurrence kindOf(const Reader& number) {
    if (number("wkv.head_size") > 0) return Recurrence::Rwkv;
    if (number("shortconv.l_cache") > 0) return Recurrence::ShortConvolution;
    if (number("kda.head_dim") > 0) return Recurrence::Kda;
    if (number("ssm.inner_size") == 0) return Recurrence::None;
    if (number("full_attention_interval") > 0) return Recurrence::DeltaNet;
    return number("ssm.group_count") > 0 ? Recurrence::Mamba2 : Recurrence::Mamba;
}

// Where layers differ, those without KV heads are recurrent, and where the feed-forward width is told by layer, those without that too.
bool isRecurrent(const Reader& number, std::size_t layer) {
    if (const std::uint64_t interval = number("full_attention_interval"); interval > 0) return layer % interval != interval - 1;
    if (!number.isPerLayer("attention.head_count_kv")) return true;
    const bool mayFeedForward = number.isPerLayer("feed_forward_length") && number("feed_forward_length", layer) > 0;
    return number("attention.head_count_kv", layer) == 0 && !mayFeedForward;
}

std::uint64_t recurrentLayers(const Reader& number) {
    const std::uint64_t all = std::min(number("block_count"), mostLayers);
    const std::uint64_t loaded = all - std::min(all, number("nextn_predict_layers"));
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < loaded; ++i) count += isRecurrent(number, i);
    return count;
}

void setStateSpace(RecurrentShape& shape, const Reader& number) {
    const std::uint64_t kernel = std::max<std::uint64_t>(1, number("ssm.conv_kernel"));
    const std::uint64_t groups = 2 * number("ssm.group_count") * number("ssm.state_size");
    shape.inner = number("ssm.inner_size");
    shape.mixed = shape.inner + groups;
    shape.convolution = (kernel - 1) * shape.mixed;
    shape.state = number("ssm.state_size") * shape.inner;
    const std::uint64_t step = number("ssm.time_step_rank"); // a width in Mamba, a number of heads in Mamba-2
    shape.projected = 2 * shape.inner + step + (shape.kind == Recurrence::Mamba ? 2 * number("ssm.state_size") : groups);
}

} // namespace

RecurrentShape recurrentShapeOf(const Model& model) {
    const Reader number(model);
    RecurrentShape shape;
    if (model.format != "gguf") return shape;
    shape.kind = kindOf(number);
    const std::uint64_t width = number("embedding_length");
    switch (shape.kind) {
    case Recurrence::None: return shape;
    case Recurrence::Rwkv:
        shape.convolution = (number("token_shift_count") > 0 ? number("token_shift_count") : 2) * width;
        shape.state = width * number("wkv.head_size");
        break;
    case Recurrence::ShortConvolution: shape.convolution = (number("shortconv.l_cache") - 1) * width; break;
    case Recurrence::Kda: {
        const std::uint64_t heads = number("attention.head_count"), size = number("kda.head_dim");
        shape.convolution = 3 * (std::max<std::uint64_t>(1, number("ssm.conv_kernel")) - 1) * heads * size;
        shape.state = size * size * heads;
        break;
    }
    default: setStateSpace(shape, number);
    }
    shape.layers = recurrentLayers(number);
    return shape;
}

std::uint64_t stateBytes(const Model& model) {
    const RecurrentShape shape = recurrentShapeOf(model);
    const double bytes =
        4.0 * static_cast<double>(shape.layers) * (static_cast<double>(shape.convolution) + static_cast<double>(shape.state));
    return static_cast<std::uint64_t>(std::min(bytes, 1e18));
}

} // namespace wb::memory
