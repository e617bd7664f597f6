// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/lattice.h"

#include "core/infer/cpu/kernels/pack.h"

namespace wb::infer::cpu {

void packIQ2_XXS(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ2_XXS;
    out = gather<2>(rows, L::d, out);
    for (std::size_t k = 0; k < LatticePanel::records; ++k)
        out = gather<4>(rows, L::groups + 8 * k, gather<4>(rows, L::groups + 8 * k + 4, out));
}

void packIQ2_XS(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ2_XS;
    out = gatherFields<1>(rows, L::scales, LatticePanel::records, gather<2>(rows, L::d, out));
    gatherFields<8>(rows, L::groups, LatticePanel::records, out);
}

void packIQ2_S(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ2_S;
    out = gatherFields<1>(rows, L::scales, LatticePanel::records, gather<2>(rows, L::d, out));
    out = gatherFields<1>(rows, L::indexHigh, LatticePanel::records, out);
    for (std::size_t k = 0; k < LatticePanel::records; ++k)
        out = gather<4>(rows, L::signs + 4 * k, gather<4>(rows, L::index + 4 * k, out));
}

void packIQ3_XXS(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ3_XXS;
    out = gather<2>(rows, L::d, out);
    for (std::size_t k = 0; k < LatticePanel::records; ++k)
        out = gather<8>(rows, L::index + 8 * k, gather<4>(rows, L::tails + 4 * k, out));
}

void packIQ3_S(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ3_S;
    out = gatherFields<1>(rows, L::scales, LatticePanel::records / 2, gather<2>(rows, L::d, out));
    for (std::size_t k = 0; k < LatticePanel::records; ++k) {
        out = gather<4>(rows, L::signs + 4 * k, gather<1>(rows, L::indexHigh + k, out));
        out = gather<8>(rows, L::index + 8 * k, out);
    }
}

void packIQ1_S(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ1_S;
    out = gather<2>(rows, L::d, out);
    for (std::size_t k = 0; k < LatticePanel::records; ++k)
        out = gather<4>(rows, L::index + 4 * k, gather<2>(rows, L::tails + 2 * k, out));
}

void packIQ1_M(const StoredRows& rows, std::byte* out) {
    using L = layout::IQ1_M;
    for (const std::byte* row : rows) {
        store(out, layout::gatherScaleIq1M(row));
        out += 2;
    }
    for (std::size_t k = 0; k < LatticePanel::records; ++k)
        for (const std::byte* row : rows) {
            const unsigned scales = loadU16(row + L::scales + k / 2 * 2);
            *out++ = static_cast<std::byte>(scales >> (6 * (k % 2)) & 63);
        }
    for (std::size_t k = 0; k < LatticePanel::records; ++k)
        out = gather<4>(rows, L::index + 4 * k, gather<2>(rows, L::indexHigh + 2 * k, out));
}

} // namespace wb::infer::cpu
