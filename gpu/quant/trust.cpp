// SPDX-License-Identifier: MIT
#include "gpu/quant/trust.h"

#include "core/tensor/decode.h"
#include "gpu/quant/known_rows.h"

#include <cmath>
#include <cstring>

namespace wb::gpu {
namespace {

using Bytes = std::vector<std::byte>;

std::unexpected<Error> wrong(const QuantEngine& engine, const QuantKernel& kernel) {
    return fail(ErrorCode::Unsupported, WB_TEXT("The graphics device {} quantizes {} wrongly; the CPU does it."),
                engine.info().name, name(kernel.dtype));
}

// What the CPU makes of values; weights as the type wants them.
Result<Bytes> onCpu(Dtype dtype, std::span<const float> values, std::span<const float> weights) {
    const quant::Rows rows{values, knownWeights().size(), weights};
    Bytes bytes(*rowBytes(dtype, rows.columns) * rows.count());
    WB_TRY(quant::makeCpuBackend()->quantize(dtype, rows, bytes));
    return bytes;
}

std::span<const float> weightsFor(Dtype dtype) {
    if (quant::weightUse(dtype) == quant::WeightUse::Required) return knownWeights();
    return {};
}

Result<Bytes> storedAs(Dtype dtype) {
    const std::vector<float>& values = knownRows();
    if (dtype != Dtype::F32) return onCpu(dtype, values, weightsFor(dtype));
    const auto bytes = std::as_bytes(std::span(values));
    return Bytes(bytes.begin(), bytes.end());
}

quant::ErrorSums sumsOf(std::span<const float> source, std::span<const float> decoded) {
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

} // namespace

Result<void> testKernel(QuantEngine& engine, const QuantKernel& kernel) {
    for (const bool weighted : {false, true}) {
        if (weighted ? !kernel.weighted : quant::weightUse(kernel.dtype) == quant::WeightUse::Required) continue;
        const auto weights = weighted ? std::span<const float>(knownWeights()) : std::span<const float>();
        WB_TRY_ASSIGN(const Bytes truth, onCpu(kernel.dtype, knownRows(), weights));
        Bytes ours(truth.size());
        WB_TRY(engine.run(kernel, {knownRows(), knownWeights().size(), weights}, ours));
        if (ours != truth) return wrong(engine, kernel);
    }
    return {};
}

Result<void> testStored(QuantEngine& engine, const QuantKernel& kernel, Dtype from) {
    WB_TRY_ASSIGN(const Bytes stored, storedAs(from));
    std::vector<float> values(knownRows().size()), decoded(values.size());
    decode(from, stored, values);
    const auto weights = weightsFor(kernel.dtype);
    WB_TRY_ASSIGN(const Bytes truth, onCpu(kernel.dtype, values, weights));
    Bytes ours(truth.size());
    WB_TRY_ASSIGN(const auto sums, engine.runStored(kernel, {stored, from, knownWeights().size(), weights}, ours));
    decode(kernel.dtype, truth, decoded);
    if (ours != truth || !agree(sums, sumsOf(values, decoded))) return wrong(engine, kernel);
    return {};
}

} // namespace wb::gpu
