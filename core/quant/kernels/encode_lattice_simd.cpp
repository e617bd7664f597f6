// SPDX-License-Identifier: MIT
#include "core/quant/kernels/lattice.h"
#include "core/quant/kernels/row_encoders.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/kernels/encode_lattice_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/lattice_search-inl.h"
#include "core/tensor/upper_halves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

using scalar::LatticeFit;
using scalar::LatticeForm;

constexpr std::size_t maxBlocks = 16; // super-blocks that are fitted together

// The results for consecutive super-blocks.
struct FittedRun {
    std::array<LatticeFit, maxBlocks> fits;
    std::array<std::array<float, 16>, maxBlocks> scales{};
};

void Keep(const LatticeType& type, const Grid& grid, const SubBlocks& sub, const float* scales, std::size_t first,
          std::size_t count, FittedRun& run) {
    const std::size_t subBlocks = 256 / type.subBlock;
    const std::size_t points = type.subBlock / grid.digits();
    for (std::size_t lane = 0; lane < count; ++lane) {
        const std::size_t b = (first + lane) % subBlocks;
        LatticeFit& fit = run.fits[(first + lane) / subBlocks];
        fit.skipped[b] = sub.active[lane] == 0;
        if (fit.skipped[b]) continue;
        run.scales[(first + lane) / subBlocks][b] = scales[lane];
        for (std::size_t k = 0; k < points; ++k) {
            const int point = grid.pointOf(static_cast<unsigned>(sub.codes.values[k * maxLanes + lane]));
            fit.points[b * points + k] = static_cast<std::uint16_t>(std::max(point, 0));
        }
        for (std::size_t k = 0; k < type.subBlock / 8; ++k)
            fit.signs[b * type.subBlock / 8 + k] = static_cast<std::uint8_t>(sub.signs.values[k * maxLanes + lane]);
    }
}

template <unsigned digits>
void EncodeRun(const LatticeForm& form, const NearLists& near, const float* x, const float* columns, std::size_t blocks,
               std::byte* out) {
    const LatticeType& type = form.type;
    const Search<digits> search{type, type.grid(), near};
    float means[maxBlocks];
    SumSquares(x, 256, blocks, means);
    for (std::size_t b = 0; b < blocks; ++b) means[b] = type.meanSquareFactor * means[b] / 256;
    FittedRun run;
    const std::size_t subBlocks = 256 / type.subBlock;
    ForBatches<V>(blocks * subBlocks, [&](std::size_t first, std::size_t count) {
        SubBlocks sub;
        const Groups<V> places(type.subBlock, first, count);
        Prepare(type, places, x, columns, places.loadShared(means, type.subBlock, subBlocks), sub);
        float scales[maxLanes];
        StoreLanes(search.fit(sub), count, scales);
        wb::HWY_NAMESPACE::ForgetUpperHalves();
        Keep(type, search.grid, sub, scales, first, count, run);
    });
    for (std::size_t b = 0; b < blocks; ++b) {
        setScales(type, std::span(run.scales[b]).first(subBlocks), run.fits[b]);
        form.store(run.fits[b], out + b * form.bytes);
    }
}

template <Dtype dtype, unsigned digits>
void Encode(const RowInput& row) {
    const auto forms = scalar::latticeForms();
    const LatticeForm& form = *std::ranges::find(forms, dtype, &LatticeForm::dtype);
    static const NearLists near(form.type.grid(), DistanceTerms<digits>::bits, std::max<std::size_t>(Lanes(), 8));
    const std::size_t blocks = row.x.size() / 256;
    for (std::size_t first = 0; first < blocks; first += maxBlocks)
        EncodeRun<digits>(form, near, row.x.data() + 256 * first, row.weights.empty() ? nullptr : row.weights.data() + 256 * first,
                          std::min(maxBlocks, blocks - first), row.out + first * form.bytes);
}

RowEncoder LatticeForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ2_XXS: return Encode<Dtype::IQ2_XXS, 8>;
    case Dtype::IQ2_XS: return Encode<Dtype::IQ2_XS, 8>;
    case Dtype::IQ2_S: return Encode<Dtype::IQ2_S, 8>;
    case Dtype::IQ3_XXS: return Encode<Dtype::IQ3_XXS, 4>;
    case Dtype::IQ3_S: return Encode<Dtype::IQ3_S, 4>;
    default: return nullptr;
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(LatticeForms);

RowEncoder latticeEncoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(LatticeForms)(dtype); }

} // namespace wb::quant
#endif
