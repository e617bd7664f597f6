// SPDX-License-Identifier: MIT
#include "core/quant/backend.h"

#include <algorithm>

namespace wb::quant {
namespace {

constexpr std::uint64_t fullLanes = 4096; // values of which a lane can take a super-block each

// How many rows are quantized as one. Blocks that do not depend on their row fill the lanes better in a longer one.
std::uint64_t rowsAsOne(Dtype dtype, const Rows& rows) {
    if (rows.weights.empty()) return rows.count();
    return blocksShareRowMean(dtype) ? 1 : std::clamp<std::uint64_t>(fullLanes / rows.columns, 1, rows.count());
}

std::vector<float> repeated(std::span<const float> weights, std::uint64_t times) {
    std::vector<float> all;
    for (std::uint64_t i = 0; i < times; ++i) all.insert(all.end(), weights.begin(), weights.end());
    return all;
}

class CpuBackend final : public Backend {
public:
    explicit CpuBackend(std::vector<Problem> remarks) : m_remarks(std::move(remarks)) {}

    std::string name() const override { return "cpu"; }
    std::uint64_t bestValues() const override { return 1 << 16; }

    Result<void> quantize(Dtype dtype, const Rows& rows, std::span<std::byte> out) override {
        if (rows.count() == 0) return {};
        const std::uint64_t together = rowsAsOne(dtype, rows);
        const std::vector<float> weights = repeated(rows.weights, together);
        const std::size_t stride = *rowBytes(dtype, rows.columns);
        for (std::uint64_t r = 0; r < rows.count(); r += together) {
            const std::uint64_t taken = std::min(together, rows.count() - r), values = taken * rows.columns;
            quantizeRow(dtype, rows.values.subspan(r * rows.columns, values),
                        std::span(weights).first(weights.empty() ? 0 : values), out.subspan(r * stride, taken * stride));
        }
        return {};
    }

    std::vector<Problem> remarks() const override { return m_remarks; }

private:
    std::vector<Problem> m_remarks;
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend(std::vector<Problem> remarks) { return std::make_unique<CpuBackend>(std::move(remarks)); }

ErrorSums& ErrorSums::operator+=(const ErrorSums& other) {
    e2 += other.e2;
    w2 += other.w2;
    v2 += other.v2;
    wv += other.wv;
    return *this;
}

} // namespace wb::quant
