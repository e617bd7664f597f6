// SPDX-License-Identifier: MIT
#include "core/quant/backend.h"

namespace wb::quant {
namespace {

class CpuBackend final : public Backend {
public:
    explicit CpuBackend(std::vector<Problem> remarks) : m_remarks(std::move(remarks)) {}

    std::string name() const override { return "cpu"; }
    std::uint64_t bestValues() const override { return 1 << 16; }

    Result<void> quantize(Dtype dtype, const Rows& rows, std::span<std::byte> out) override {
        const std::size_t stride = *rowBytes(dtype, rows.columns);
        for (std::uint64_t r = 0; r < rows.count(); ++r)
            quantizeRow(dtype, rows.values.subspan(r * rows.columns, rows.columns), rows.weights, out.subspan(r * stride, stride));
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
