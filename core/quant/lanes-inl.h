// SPDX-License-Identifier: MIT
// Included once per SIMD target by the files of this room that compute with one group a lane.
#if defined(WB_QUANT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_LANES_INL_H
#undef WB_QUANT_LANES_INL_H
#else
#define WB_QUANT_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t mostLanes = 16;
using Floats = hn::CappedTag<float, mostLanes>;
using Ints = hn::RebindToSigned<Floats>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;
using M = hn::Mask<Floats>;

HWY_INLINE V Number(float value) { return hn::Set(Floats(), value); }
HWY_INLINE M NoLanes() { return hn::Lt(Number(0), Number(0)); }

// nearestInt of rounding.h, bit for bit outside its range too.
HWY_INLINE VI Nearest(V x) {
    const Ints di;
    const VI bits = hn::BitCast(di, hn::Add(x, Number(12582912.0f)));
    return hn::Sub(hn::And(bits, hn::Set(di, 0x007fffff)), hn::Set(di, 0x00400000));
}

HWY_INLINE VI Clamped(VI value, int low, int high) {
    const Ints di;
    return hn::Min(hn::Max(value, hn::Set(di, low)), hn::Set(di, high));
}

// The nearest level as a number.
HWY_INLINE V Level(V x, int low, int high) { return hn::ConvertTo(Floats(), Clamped(Nearest(x), low, high)); }

// Up to mostLanes groups, element i of all of them side by side at i · lanes. Lanes beyond the last group repeat it.
class Groups {
public:
    Groups(std::size_t group, std::size_t first, std::size_t count) : m_group(group), m_first(first) {
        const Ints di;
        const auto last = hn::Set(di, static_cast<int>(count - 1));
        m_places = hn::Mul(hn::Min(hn::Iota(di, 0), last), hn::Set(di, static_cast<int>(group)));
    }

    V load(const float* values, std::size_t i) const { return hn::GatherIndex(Floats(), values + m_first * m_group + i, m_places); }

private:
    std::size_t m_group;
    std::size_t m_first;
    VI m_places;
};

// Stores the codes of one element of all groups into their places.
HWY_INLINE void StoreCodes(VI codes, std::size_t group, std::size_t first, std::size_t count, std::size_t i, std::uint8_t* out) {
    HWY_ALIGN std::int32_t lanes[mostLanes];
    hn::Store(codes, Ints(), lanes);
    for (std::size_t g = 0; g < count; ++g) out[(first + g) * group + i] = static_cast<std::uint8_t>(lanes[g]);
}

HWY_INLINE void StoreLanes(V values, std::size_t first, std::size_t count, float* out) {
    HWY_ALIGN float lanes[mostLanes];
    hn::Store(values, Floats(), lanes);
    std::copy_n(lanes, count, out + first);
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
