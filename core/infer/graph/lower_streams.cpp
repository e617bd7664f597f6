// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_streams.h"

#include "core/base/checked.h"

#include <algorithm>
#include <span>
#include <utility>

namespace wb::infer {
namespace {

constexpr const char* tableName = "per_layer_token_embd.weight";

const char* invalidNgramKey(const arch::ModelSpec& spec) {
    const arch::NgramSpec& ngrams = spec.ngrams;
    if (spec.streams.count == 0) return "hyper_connection.count";
    if (std::ranges::any_of(ngrams.layers, [&](std::uint64_t layer) { return layer >= spec.trunkLayers(); })) return "ple.layers";
    if (ngrams.size < 2) return "ple.ngram_size";
    if (ngrams.headsEach == 0) return "ple.heads_per_ngram";
    if (ngrams.length == 0) return "embedding_length_per_layer_input";
    if (ngrams.convolution == 0 || ngrams.convolution > ConvOp::maxWidth) return "ple.conv_kernel";
    if (ngrams.multipliers.size() < ngrams.size) return "ple.layer_multipliers";
    if (ngrams.offsets.size() < ngrams.heads()) return "ple.head_offsets";
    const auto sizes = std::span(ngrams.sizes).first(std::min<std::size_t>(ngrams.sizes.size(), ngrams.heads()));
    if (sizes.size() < ngrams.heads() || std::ranges::find(sizes, 0U) != sizes.end()) return "ple.head_vocab_sizes";
    return nullptr;
}

// The rows that the hashes of all heads can name.
std::uint64_t neededRows(const arch::NgramSpec& ngrams) {
    std::uint64_t rows = 0;
    for (std::size_t h = 0; h < ngrams.heads(); ++h)
        rows = std::max(rows, checked::add(ngrams.offsets[h], ngrams.sizes[h]).value_or(~std::uint64_t{0}));
    return rows;
}

Result<Slice> findTable(const TensorFinder& tensors, const arch::NgramSpec& ngrams) {
    WB_TRY_ASSIGN(const std::uint64_t rows, tensors.tensorRows(tableName));
    WB_TRY_ASSIGN(const Slice table, tensors.needSlice(tableName, {rows, ngrams.length}));
    if (const std::uint64_t needed = neededRows(ngrams); needed > rows)
        return fail(ErrorCode::Malformed, Reason("infer.ngram_table"), About{tensors.file()},
                    WB_TEXT("{}: the tensor {} has {} rows, but its n-grams need {}; convert the model again."), tensors.file(),
                    tableName, rows, needed);
    return table;
}

} // namespace

const char* invalidStreamKey(const arch::ModelSpec& spec) {
    const arch::StreamSpec& streams = spec.streams;
    if (streams.count == 1) return "hyper_connection.count";
    if (streams.count > 0 && streams.rank == 0) return "hyper_connection.low_rank";
    return spec.ngrams.layers.empty() ? nullptr : invalidNgramKey(spec);
}

Result<MixStreamsOp> lowerMix(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& stem, bool injects) {
    const std::uint64_t streams = spec.streams.count, all = streams * spec.width, rank = spec.streams.rank;
    MixStreamsOp op;
    op.streams = streams;
    WB_TRY_ASSIGN(const Slice norm, tensors.needSlice(stem + "_norm.weight", {all}));
    op.norm = {NormKind::Rms, spec.normEpsilon, norm, {}};
    WB_TRY_ASSIGN(op.down.weight, tensors.needSlice(stem + "_down.weight", {rank, all}));
    WB_TRY_ASSIGN(op.up.weight, tensors.needSlice(stem + "_up.weight", {all, rank}));
    if (injects) {
        WB_TRY_ASSIGN(op.inject.weight, tensors.needSlice(stem + "_inject.weight", {streams, all}));
    }
    return op;
}

Result<std::vector<LayerOp>> lowerNgrams(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                         std::vector<StateShape>& states) {
    const arch::NgramSpec& ngrams = spec.ngrams;
    const std::uint64_t streams = spec.streams.count, all = streams * spec.width, numbers = ngrams.heads() * ngrams.length;
    NgramOp op;
    op.streams = streams;
    op.size = ngrams.size;
    op.headsEach = ngrams.headsEach;
    op.endToken = ngrams.endToken;
    op.multipliers = ngrams.multipliers;
    op.offsets = ngrams.offsets;
    op.sizes = ngrams.sizes;
    WB_TRY_ASSIGN(op.table, findTable(tensors, ngrams));
    WB_TRY_ASSIGN(op.key.weight, tensors.needSlice(prefix + "ple_key.weight", {all, numbers}));
    WB_TRY_ASSIGN(op.value.weight, tensors.needSlice(prefix + "ple_value.weight", {spec.width, numbers}));
    for (const auto& [name, norm] : {std::pair("ple_norm_key.weight", &op.keyNorm),
                                     {"ple_norm_query.weight", &op.queryNorm},
                                     {"ple_norm_conv.weight", &op.outNorm}}) {
        WB_TRY_ASSIGN(const Slice weight, tensors.needSlice(prefix + name, {all}));
        *norm = {NormKind::Rms, spec.normEpsilon, weight, {}};
    }
    op.state = static_cast<std::uint32_t>(states.size());
    states.push_back({1, ngrams.size - 1});
    ConvOp conv;
    conv.channels = all;
    conv.width = ngrams.convolution;
    conv.dilation = ngrams.size;
    WB_TRY_ASSIGN(const TensorInfo* const kernel, tensors.need(prefix + "ple_conv1d.weight", {all, conv.width}));
    conv.kernel = {kernel, 0, all * conv.width};
    conv.activation = Activation::Silu;
    conv.state = static_cast<std::uint32_t>(states.size());
    states.push_back({conv.dilation * (conv.width - 1), all});
    return std::vector<LayerOp>{std::move(op), conv, AddNgramsOp{streams}};
}

} // namespace wb::infer
