// SPDX-License-Identifier: MIT
#include "gpu/quant/quantizer_self_test.h"

#include "core/tensor/decode.h"
#include "gpu/quant/self_test_rows.h"

#include <cmath>
#include <cstring>

namespace wb::gpu {
namespace {

using Bytes = std::vector<std::byte>;

// The CPU's result for values; weights as the type wants them.
Result<Bytes> onCpu(Dtype dtype, std::span<const float> values, std::span<const float> weights) {
    const quant::Rows rows{values, selfTestWeights().size(), weights};
    Bytes bytes(*rowBytes(dtype, rows.columns) * rows.count());
    WB_TRY(quant::makeCpuBackend()->quantize(dtype, rows, bytes));
    return bytes;
}

std::span<const float> weightsFor(Dtype dtype) {
    if (quant::weightUse(dtype) == quant::WeightUse::Required) return selfTestWeights();
    return {};
}

Result<Bytes> storedAs(Dtype dtype) {
    const std::vector<float>& values = selfTestRows();
    if (dtype != Dtype::F32) return onCpu(dtype, values, weightsFor(dtype));
    const auto bytes = std::as_bytes(std::span(values));
    return Bytes(bytes.begin(), bytes.end());
}

quant::ErrorSums decodedSums(std::span<const float> source, std::span<const float> decoded) {
    quant::ErrorSums sums;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const double w = source[i], v = decoded[i];
        sums += {(v - w) * (v - w), w * w, v * v, w * v};
    }
    return sums;
}

bool agree(const quant::ErrorSums& a, const quant::ErrorSums& b) {
    const auto close = [](double x, double y, double size) { return std::abs(x - y) <= 1e-9 * size; };
    return close(a.e2, b.e2, b.e2) && close(a.w2, b.w2, b.w2) && close(a.v2, b.v2, b.v2) &&
           close(a.wv, b.wv, std::sqrt(b.w2 * b.v2));
}

bool isSameBut(std::span<const std::uint64_t> marked, Dtype dtype, Bytes ours, const Bytes& truth) {
    const std::size_t bytes = info(dtype).blockBytes;
    for (const std::uint64_t block : marked) std::memcpy(&ours[block * bytes], &truth[block * bytes], bytes);
    return ours == truth;
}

} // namespace

Error wrongBytes(const QuantEngine& engine, Dtype dtype) {
    return makeError(ErrorCode::Unsupported, Reason("device.wrong_bytes"),
                     WB_TEXT("The GPU {} quantizes {} incorrectly; the CPU is used instead."), engine.info().name, name(dtype));
}

Result<void> testKernel(QuantEngine& engine, const QuantKernel& kernel) {
    for (const bool weighted : {false, true}) {
        if (weighted ? !kernel.weighted : quant::weightUse(kernel.dtype) == quant::WeightUse::Required) continue;
        const auto weights = weighted ? std::span<const float>(selfTestWeights()) : std::span<const float>();
        WB_TRY_ASSIGN(const Bytes truth, onCpu(kernel.dtype, selfTestRows(), weights));
        Bytes ours(truth.size());
        WB_TRY_ASSIGN(const BlockNumbers marked,
                      engine.runOnDevice(kernel, {selfTestRows(), selfTestWeights().size(), weights}, ours));
        const std::uint64_t ordinary = ordinaryRows * selfTestWeights().size() / info(kernel.dtype).blockElements;
        const bool marksOrdinary = !marked.empty() && marked.front() < ordinary;
        if (marksOrdinary || !isSameBut(marked, kernel.dtype, ours, truth))
            return std::unexpected(wrongBytes(engine, kernel.dtype));
    }
    return {};
}

Result<void> testStored(QuantEngine& engine, const QuantKernel& kernel, Dtype from) {
    WB_TRY_ASSIGN(const Bytes stored, storedAs(from));
    std::vector<float> values(selfTestRows().size()), decoded(values.size());
    decode(from, stored, values);
    const auto weights = weightsFor(kernel.dtype);
    WB_TRY_ASSIGN(const Bytes truth, onCpu(kernel.dtype, values, weights));
    Bytes ours(truth.size());
    WB_TRY_ASSIGN(const auto done, engine.runStored(kernel, {stored, from, selfTestWeights().size(), weights}, ours));
    decode(kernel.dtype, truth, decoded);
    if (ours != truth || !agree(done.sums, decodedSums(values, decoded))) return std::unexpected(wrongBytes(engine, kernel.dtype));
    return {};
}

} // namespace wb::gpu
