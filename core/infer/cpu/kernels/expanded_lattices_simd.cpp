// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/expanded_lattices_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/expanded-inl.h"
#include "core/infer/cpu/kernels/lattice-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

#if WB_PAIR_SUMS
// Lattices whose codes are all odd or all even: half their distance from the smallest one is multiplied, so that more sums fit into
// 16 bits.
template <class L>
struct HalvedLattice : UnpackedLattice<L> {
    static constexpr int largest = L::largest;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        constexpr auto smallest = static_cast<std::uint8_t>((1 << UnpackedLattice<L>::biasShift) - L::largest);
        return expandBits<1, 7>(hn::Sub(UnpackedLattice<L>::template codes<record, j>(block, r), hn::Set(Bytes(), smallest)));
    }
};
template <class L>
constexpr bool isHalved = std::is_same_v<L, LatticeIQ1_S> || std::is_same_v<L, LatticeIQ1_M> || std::is_same_v<L, LatticeIQ3_XXS> ||
                          std::is_same_v<L, LatticeIQ3_S>;

template <class L>
constexpr std::int16_t codeFactor<HalvedLattice<L>> = 2;
template <class L>
constexpr std::int32_t codeBias<HalvedLattice<L>> = L::largest;
#endif

#if WB_PAIR_SUMS || WB_ARM_DOTS
template <class L, class Dot>
constexpr Multiply formForLattice() {
#if WB_PAIR_SUMS
    if constexpr (std::is_same_v<Dot, PairSums> && isHalved<L>)
        return ExpandedForms<Dot>::template Form<HalvedLattice<L>>::multiply;
#endif
    return ExpandedForms<Dot>::template Form<UnpackedLattice<L>>::multiply;
}
#endif

} // namespace

std::array<Multiply, panelTypes> expandedLatticeForms([[maybe_unused]] ByteProducts products) {
    std::array<Multiply, panelTypes> forms{};
#if WB_PAIR_SUMS || WB_ARM_DOTS
    withDot(products, [&]<class Dot>(Dot) {
        eachLattice([&]<class L>(PanelType type) { forms[static_cast<std::size_t>(type)] = formForLattice<L, Dot>(); });
    });
#endif
    return forms;
}

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(expandedLatticeForms);

std::array<Multiply, panelTypes> expandedLattices(ByteProducts products) {
    return HWY_DYNAMIC_DISPATCH(expandedLatticeForms)(products);
}

} // namespace wb::infer::cpu
#endif
