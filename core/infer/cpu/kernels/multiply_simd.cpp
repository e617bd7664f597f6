// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/multiply_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/integers-inl.h"
#include "core/infer/cpu/kernels/lattice-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the readable form is as good.
MultiplyForms multiplyForms(ByteProducts) { return {}; }
#else

namespace {

// ---- lattices: a block is unpacked once for all groups

template <class L, class Dot, std::size_t T>
void multiplyLattice(const Product& p) {
    using Panel = UnpackedLattice<L>;
    alignas(64) std::byte unpacked[Panel::unpackedBytes];
    for (std::size_t b = 0; b < p.blocks; ++b) {
        Panel::unpack(p.panel + b * Panel::bytes, unpacked);
        for (std::size_t g = 0; g < p.groups; ++g) {
            const std::byte* const x = p.activations + g * p.groupBytes + b * Panel::records * Record<T>::bytes;
            for (std::size_t r = 0; r < panelRows; r += lanes) {
                float* const out = p.out + g * T * p.stride + r;
                VF sums[T];
                WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
                    sums[t] = b == 0 ? hn::Zero(Floats()) : hn::LoadU(Floats(), out + t * p.stride);
                }
                addBlock<Panel, Dot, T>(std::make_index_sequence<Panel::records>(), unpacked, loadedAnew(x), r, sums);
                WB_UNROLL for (std::size_t t = 0; t < T; ++t) { hn::StoreU(sums[t], Floats(), out + t * p.stride); }
            }
        }
    }
}

// Panel after panel.
template <class L, class Dot>
void multiplyWideLattice(const Product& p) {
    Product one = p;
    for (std::size_t n = 0; n < widePanels; ++n) {
        multiplyLattice<L, Dot, 1>(one);
        one.panel += p.panelBytes;
        one.out += panelRows;
    }
}

// ---- the tables

template <class Dot>
struct IntegerGroups {
    template <class Panel>
    struct Form {
        static void multiply(const Product& p) { eachGroup<multiplyGroup<Panel, Dot>>(p); }
    };
};

// Forms that other files lack: groups where expandedSimd() has none, and one token of lattices where oneTokenLattices() has
// none.
template <class Dot>
MultiplyForms allForms() {
    MultiplyForms forms{};
#if !WB_PAIR_SUMS && !WB_ARM_DOTS
    forms.groups = integerForms<IntegerGroups<Dot>::template Form>();
#endif
#if !WB_PAIR_SUMS
    eachLattice([&]<class L>(PanelType type) {
        const auto at = static_cast<std::size_t>(type);
#if !WB_ARM_DOTS
        forms.groups[at] = multiplyLattice<L, Dot, groupTokens>;
#endif
        forms.one[at] = multiplyLattice<L, Dot, 1>;
        forms.wide[at] = multiplyWideLattice<L, Dot>;
    });
#endif
    return forms;
}

} // namespace

MultiplyForms multiplyForms(ByteProducts products) {
    MultiplyForms forms{};
    withDot(products, [&]<class Dot>(Dot) { forms = allForms<Dot>(); });
    return forms;
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(multiplyForms);

MultiplyForms multiplySimd(ByteProducts products) { return HWY_DYNAMIC_DISPATCH(multiplyForms)(products); }

} // namespace wb::infer::cpu
#endif
