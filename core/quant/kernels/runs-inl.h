// SPDX-License-Identifier: MIT
// Points that several tries round to the same code. Included once per SIMD target.
#if defined(WB_QUANT_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_RUNS_INL_H
#undef WB_QUANT_RUNS_INL_H
#else
#define WB_QUANT_RUNS_INL_H
#endif

#include "core/quant/kernels/block_codes-inl.h"
#include "core/quant/kernels/lanes-inl.h"
#include "core/quant/kernels/line_search-inl.h"

#include <array>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

// IQ3_XXS tries most scales, 31 a sub-block; a sub-block has a lane.
constexpr std::size_t maxTries = 31 * maxLanes;

// A bit a try.
using TryBits = std::array<std::uint64_t, (maxTries + 63) / 64>;

// The code that every try rounds one point to.
class CodeRow {
public:
    // Of a whole vector of tries from `first` on, a multiple of it.
    void set(std::size_t first, VI codes) { hn::Store(codes, Ints(), m_codes + maxLanes + first); }
    VI get(std::size_t first) const { return hn::Load(Ints(), m_codes + maxLanes + first); }

    // Calls `each(first, count, code)` for every run of the `count` tries, in their order: those side by side with one code, which
    // all belong to one sub-block. `starts` tells the first try of every sub-block.
    template <class Each>
    void forRuns(const TryBits& starts, std::size_t count, const Each& each) const {
        std::size_t first = 0;
        const auto endAt = [&](std::size_t end) {
            if (end != first) each(first, end - first, static_cast<unsigned>(m_codes[maxLanes + first]));
            first = end;
        };
        for (std::size_t word = 0; word < count; word += 64) {
            std::uint64_t bits = starts[word / 64];
            for (std::size_t i = 0; i < 64 && word + i < count; i += Lanes()) bits |= std::uint64_t{changes(word + i)} << i;
            for (; bits != 0; bits &= bits - 1) endAt(word + static_cast<unsigned>(std::countr_zero(bits)));
        }
        endAt(count);
    }

private:
    // Bit by bit the tries of a vector whose code is not that of the try before.
    std::uint32_t changes(std::size_t first) const {
        const VI before = hn::LoadU(Ints(), m_codes + maxLanes + first - 1);
        return MaskBits(hn::RebindMask(Floats(), hn::Ne(get(first), before)));
    }

    HWY_ALIGN std::int32_t m_codes[maxLanes + maxTries] = {}; // so that what is before a try can be read
};

// Results of the searches of runs, try by try. A run is set in whole vectors from its first try on; the runs after it, set later,
// overwrite the rest.
class NearestRow {
public:
    void set(std::size_t first, const NearestLine& nearest) {
        hn::StoreU(nearest.code, Ints(), m_codes + first);
        hn::StoreU(nearest.best, Floats(), m_best + first);
        hn::StoreU(nearest.second, Floats(), m_second + first);
    }
    // A run whose code is on the grid needs no search: nothing is nearer.
    void setPoint(std::size_t first, std::size_t count, unsigned code) {
        const NearestLine itself{Number(0), Number(0x1p100f), hn::Set(Ints(), static_cast<int>(code))};
        for (std::size_t i = first; i < first + count; i += Lanes()) set(i, itself);
    }
    VI code(std::size_t first) const { return hn::Load(Ints(), m_codes + first); }
    M sure(std::size_t first, V energy, V scale) const {
        return IsSure(hn::Load(Floats(), m_best + first), hn::Load(Floats(), m_second + first), energy, scale);
    }

private:
    HWY_ALIGN std::int32_t m_codes[maxTries + maxLanes] = {};
    HWY_ALIGN float m_best[maxTries + maxLanes] = {};
    HWY_ALIGN float m_second[maxTries + maxLanes] = {};
};

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
