// SPDX-License-Identifier: MIT
// Points that several tries round to the same code. Included once per SIMD target.
#if defined(WB_QUANT_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_RUNS_INL_H
#undef WB_QUANT_RUNS_INL_H
#else
#define WB_QUANT_RUNS_INL_H
#endif

#include "core/quant/block_codes-inl.h"
#include "core/quant/lanes-inl.h"
#include "core/quant/line_search-inl.h"
#include "core/quant/near_lists.h"

#include <array>
#include <bit>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

constexpr std::size_t mostPoints = 8; // points of a sub-block
constexpr std::size_t mostPlaces = mostPoints * mostLanes;

// A number for each point in each lane: point k of lane l has place k · mostLanes + l.
struct PointArray {
    HWY_ALIGN std::int32_t values[mostPlaces];
    VI get(std::size_t k) const { return hn::Load(Ints(), values + k * mostLanes); }
    void set(std::size_t k, VI value) { hn::Store(value, Ints(), values + k * mostLanes); }
};

// Neighbouring lanes with the same sub-block and, at one point, the same code, which is not on the grid.
struct Run {
    std::uint32_t place; // its first
    NearLists::List list;
};

class RunPlaces {
public:
    void setCodes(std::size_t k, VI codes) { hn::Store(codes, Ints(), m_codes + (k + 1) * mostLanes); }

    VI codes(std::size_t k) const { return hn::Load(Ints(), m_codes + (k + 1) * mostLanes); }

    // Finds the runs of the first points, those that start in `active` lanes. Bits of `starts` are lanes whose sub-block is not that of
    // the lane before.
    void findRuns(const NearLists& near, std::size_t points, std::uint32_t starts, std::uint32_t active) {
        m_count = 0;
        for (std::size_t first = 0; first < points; first += pointsOfWord) {
            std::uint64_t wordStarts = 0, wordActive = 0;
            for (std::size_t k = first; k < first + pointsOfWord && k < points; ++k) {
                wordStarts |= std::uint64_t{starts | changes(k)} << (mostLanes * (k - first));
                wordActive |= std::uint64_t{active} << (mostLanes * (k - first));
            }
            addRuns(near, first, wordStarts, wordActive);
        }
    }

    // Runs in the order of places.
    std::span<const Run> runs() const { return {m_runs.data(), m_count}; }

    // Lanes where point k is on the grid.
    M pointsOf(std::size_t k) const {
        const std::uint64_t bits = m_onGrid[k / pointsOfWord] >> (mostLanes * (k % pointsOfWord));
        const VI lanes = hn::Set(Ints(), static_cast<std::int32_t>(bits & ((1u << mostLanes) - 1)));
        HWY_ALIGN static constexpr std::int32_t bitOfLane[mostLanes] = {1,   2,   4,    8,    16,   32,   64,    128,
                                                                        256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
        return hn::RebindMask(Floats(), hn::TestBit(lanes, hn::Load(Ints(), bitOfLane)));
    }

private:
    static constexpr std::size_t pointsOfWord = 64 / mostLanes;

    // Bit by bit the lanes whose code is not that of the lane before.
    std::uint32_t changes(std::size_t k) const {
        const std::int32_t* const codes = m_codes + (k + 1) * mostLanes;
        return MaskBits(hn::RebindMask(Floats(), hn::Ne(hn::Load(Ints(), codes), hn::LoadU(Ints(), codes - 1))));
    }

    void addRuns(const NearLists& near, std::size_t first, std::uint64_t starts, std::uint64_t active) {
        std::uint64_t onGrid = 0;
        Run* run = m_runs.data() + m_count;
        for (std::uint64_t left = starts & active; left != 0; left &= left - 1) {
            const auto bit = static_cast<unsigned>(std::countr_zero(left));
            const std::size_t place = first * mostLanes + bit;
            const NearLists::List list = near.list(static_cast<unsigned>(m_codes[mostLanes + place]));
            *run = {static_cast<std::uint32_t>(place), list};
            run += list.isPoint ? 0 : 1;
            const std::uint64_t next = starts & ~std::uint64_t{0} << bit << 1; // the starts behind this one
            onGrid |= list.isPoint ? (next & (~next + 1)) - (std::uint64_t{1} << bit) : 0;
        }
        m_onGrid[first / pointsOfWord] = onGrid;
        m_count = static_cast<std::size_t>(run - m_runs.data());
    }

    HWY_ALIGN std::int32_t m_codes[mostLanes + mostPlaces]; // so that what is before a place can be read
    std::array<Run, mostPlaces> m_runs;
    std::size_t m_count = 0;
    std::array<std::uint64_t, mostPlaces / 64> m_onGrid{};
};

// What the searches of runs found, place by place. A run is set from its first place on as a whole vector; the runs behind it, set
// later, overwrite what is not its own.
class NearestOfRuns {
public:
    void set(std::size_t place, const NearestLine& nearest) {
        hn::StoreU(nearest.code, Ints(), m_codes + place);
        hn::StoreU(nearest.best, Floats(), m_best + place);
        hn::StoreU(nearest.second, Floats(), m_second + place);
    }
    VI code(std::size_t k) const { return hn::Load(Ints(), m_codes + k * mostLanes); }
    M sure(std::size_t k, V energy, V scale) const {
        return IsSure(hn::Load(Floats(), m_best + k * mostLanes), hn::Load(Floats(), m_second + k * mostLanes), energy, scale);
    }

private:
    HWY_ALIGN std::int32_t m_codes[mostPlaces + mostLanes] = {};
    HWY_ALIGN float m_best[mostPlaces + mostLanes] = {};
    HWY_ALIGN float m_second[mostPlaces + mostLanes] = {};
};

struct RunSearch {
    RunPlaces places;
    NearestOfRuns nearest;
};

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
