// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/one_token_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/sums-inl.h"

#include <algorithm>

// One token on machines without an integer dot product: sums of two products are kept in 16 bits as long as they fit.
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if !WB_PAIR_SUMS
std::array<Multiply, panelTypes> oneTokenForms() { return {}; }
std::array<Multiply, panelTypes> oneTokenWideForms() { return {}; }
#else

namespace {

// Records of a block that are summed side by side: two, because they share vectors of nibbles, which are then loaded once. The
// slices of a vector are read one after the other for the same reason; vectors of one slice alone lie 64 bytes apart, and a Zen
// core loads only one such vector in a cycle.
template <class Panel>
constexpr std::size_t recordsTogether = Panel::records > 1 ? 2 : 1;

template <class Panel>
struct RecordSums {
    VI at[recordsTogether<Panel>][slices];
};

// Vector j of the records: sums of two products in 16 bits, or in 32 where one such sum fills them.
template <class Panel, std::size_t record, std::size_t j>
HWY_INLINE void multiplyVector(const std::byte* block, VB four, std::size_t s, VS& product) {
    const VB codes = Panel::template codes<record, j>(block, s * lanes);
    if constexpr (sumsInShorts<Panel> > 0) {
        product = multiplyPairs(codes, four);
    } else {
        const VB signedCodes = toSigned(codes);
        product = multiplyPairs(magnitudes(signedCodes), withSigns(four, signedCodes));
    }
}

template <class Panel, std::size_t record, std::size_t j>
HWY_INLINE void addVector(const std::byte* block, const std::byte* x, bool isFirst, VS (&sums)[slices]) {
    const VB four = fourCodes(x + 4 * j);
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        VS product;
        multiplyVector<Panel, record, j>(block, four, s, product);
        sums[s] = isFirst ? product : addHere(sums[s], product);
    }
}

// Vectors first, first + 1 … of the records, whose sums fit into 16 bits.
template <class Panel, std::size_t record, std::size_t first, std::size_t... j>
HWY_INLINE void addChunk(std::index_sequence<j...>, const std::byte* block, const std::byte* x, RecordSums<Panel>& total) {
    constexpr std::size_t together = recordsTogether<Panel>;
    VS sums[together][slices];
    const auto step = [&]<std::size_t vector>() HWY_ATTR {
        addVector<Panel, record, first + vector>(block, x, vector == 0, sums[0]);
        if constexpr (together == 2)
            addVector<Panel, record + 1, first + vector>(block, x + Record<1>::bytes, vector == 0, sums[1]);
    };
    (step.template operator()<j>(), ...);
    WB_UNROLL for (std::size_t i = 0; i < together; ++i) {
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { total.at[i][s] = addHere(total.at[i][s], addPairs(sums[i][s])); }
    }
}

// Vectors [first, end) of the records, and what takes the bias away.
template <class Panel, std::size_t record, std::size_t first, std::size_t end, std::size_t... chunk>
HWY_INLINE void dotChunks(std::index_sequence<chunk...>, const std::byte* block, const std::byte* x, RecordSums<Panel>& total) {
    constexpr std::size_t steps = (end - first) / sizeof...(chunk);
    WB_UNROLL for (std::size_t i = 0; i < recordsTogether<Panel>; ++i) {
        const std::byte* const token = x + i * Record<1>::bytes;
        VI start = hn::Zero(Ints());
        if constexpr (sumsInShorts<Panel> > 0)
            start = startFromNegativeSum<Panel>((first == 0 ? *ints(token + Record<1>::low) : 0) +
                                                (end == 8 ? *ints(token + Record<1>::high) : 0));
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { total.at[i][s] = start; }
    }
    (addChunk<Panel, record, first + chunk * steps>(std::make_index_sequence<steps>(), block, x, total), ...);
}

template <class Panel, std::size_t record, std::size_t first, std::size_t end>
HWY_INLINE void dotRecords(const std::byte* block, const std::byte* x, RecordSums<Panel>& total) {
    constexpr std::size_t steps = std::clamp<std::size_t>(sumsInShorts<Panel>, 1, end - first);
    static_assert((end - first) % steps == 0);
    dotChunks<Panel, record, first, end>(std::make_index_sequence<(end - first) / steps>(), block, x, total);
}

// Adds the records [record, record + recordsTogether) to the sums of each slice, in their order.
template <class Panel, std::size_t record>
HWY_INLINE void addRecords(const std::byte* block, const std::byte* x, VF (*HWY_RESTRICT acc)[1]) {
    RecordSums<Panel> sums[2];
    dotRecords<Panel, record, 0, Panel::splits ? 4 : 8>(block, x, sums[0]);
    if constexpr (Panel::splits) dotRecords<Panel, record, 4, 8>(block, x, sums[1]);
    WB_UNROLL for (std::size_t i = 0; i < recordsTogether<Panel>; ++i) {
        const std::byte* const token = x + i * Record<1>::bytes;
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            const std::size_t r = s * lanes;
            fold<1>(&sums[0].at[i][s], Panel::scale(block, record + i, r), token, acc[s]);
            if constexpr (Panel::splits) fold<1>(&sums[1].at[i][s], Panel::secondScale(block, record + i, r), token, acc[s]);
            const VF first = firstMinimum<Panel>(block, record + i, r), last = lastMinimum<Panel>(block, record + i, r);
            acc[s][0] = addMinimums<Panel, 1>(first, last, token, 0, acc[s][0]);
        }
    }
}

// Small blocks are read in the order of their addresses anyway, and types whose codes are multiplied as magnitudes are bound by
// that.
template <class Panel>
constexpr bool readsAhead = isLargeBlock<Panel> && sumsInShorts<Panel> > 0;

// The bytes between a block and what is loaded ahead of it.
constexpr std::size_t readAheadBytes = 1024;

// Loads `bytes` bytes of lines and throws them away. The CPU's prefetcher follows loads in the order of their addresses, but not
// those of a block, which come from its planes in turn; prefetch instructions do not lead it.
HWY_INLINE void readAhead(const std::byte* from, std::size_t bytes) {
    for (std::size_t line = 0; line < bytes; line += 64) {
        int thrownAway;
        __asm__ volatile("movl %1, %0" : "=r"(thrownAway) : "m"(*ints(from + line)));
    }
}

template <class Panel, std::size_t... group>
HWY_INLINE void addBlock(std::index_sequence<group...>, const std::byte* block, const std::byte* ahead, const std::byte* x,
                         VF (*HWY_RESTRICT acc)[1]) {
    constexpr std::size_t together = recordsTogether<Panel>;
    const auto add = [&]<std::size_t record>() HWY_ATTR {
        constexpr std::size_t from = record * Panel::bytes / Panel::records / 64 * 64;
        constexpr std::size_t to = (record + together) * Panel::bytes / Panel::records / 64 * 64;
        if constexpr (readsAhead<Panel>) readAhead(ahead + from, to - from);
        addRecords<Panel, record>(block, x + record * Record<1>::bytes, acc);
    };
    (add.template operator()<group * together>(), ...);
}

// One panel. Several panels in turn would be more streams of memory than the prefetcher follows.
template <class Panel>
void multiplyPanel(const Product& p) {
    VF acc[slices][1];
    for (auto& slice : acc) slice[0] = hn::Zero(Floats());
    const std::byte* block = p.panel;
    const std::byte* x = p.activations;
    const std::byte* const lastBlock = p.end - Panel::bytes;
    for (std::size_t b = 0; b < p.blocks; ++b, block += Panel::bytes, x += Panel::records * Record<1>::bytes) {
        const std::byte* const ahead = std::min(block + readAheadBytes, lastBlock);
        addBlock<Panel>(std::make_index_sequence<Panel::records / recordsTogether<Panel>>(), block, ahead, loadedAnew(x), acc);
    }
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { hn::StoreU(acc[s][0], Floats(), p.out + s * lanes); }
}

template <class Panel>
struct OnePanel {
    static void multiply(const Product& p) { multiplyPanel<Panel>(p); }
};

template <class Panel>
struct WidePanels {
    static void multiply(const Product& p) {
        Product one = p;
        for (std::size_t n = 0; n < widePanels; ++n) {
            multiplyPanel<Panel>(one);
            one.panel += p.panelBytes;
            one.out += panelRows;
        }
    }
};

} // namespace

std::array<Multiply, panelTypes> oneTokenForms() { return integerForms<OnePanel>(); }
std::array<Multiply, panelTypes> oneTokenWideForms() { return integerForms<WidePanels>(); }

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(oneTokenForms);
HWY_EXPORT(oneTokenWideForms);

OneTokenForms oneTokenSimd() { return {HWY_DYNAMIC_DISPATCH(oneTokenForms)(), HWY_DYNAMIC_DISPATCH(oneTokenWideForms)()}; }

} // namespace wb::infer::cpu
#endif
