// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/one_token_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/dots-inl.h"

#include <algorithm>

// One token: a panel is read once, in the order of its addresses, as fast as memory allows. A block is multiplied as it is stored.
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the readable form is as good.
OneTokenForms oneTokenForms(ByteProducts) { return {}; }
#else

namespace {

// Records that are summed side by side: those that share vectors, or fewer where sixteen registers would not hold their sums.
template <class Panel>
constexpr std::size_t recordsSummed = std::min<std::size_t>(recordsTogether<Panel>, slices == 1 ? 8 : 2);

// Their sums, of each half of the columns if they have their own scales.
template <class Panel>
struct RecordSums {
    HWY_INLINE RecordSums() {} // vectors of NEON have constructors, which only code of that target can call
    VI at[Panel::splits ? 2 : 1][recordsSummed<Panel>][slices];
};

template <class Panel>
constexpr std::size_t halfVectors = Panel::splits ? 4 : 8;

// How many vectors are added before their sums are.
template <class Panel, class Dot>
constexpr std::size_t vectorsAtOnce = 1;

// Whether codes of 8 bits are multiplied as magnitudes, since their sums of two products do not fit into 16 bits.
template <class Panel, class Dot>
constexpr bool multipliesMagnitudes = false;

// ---- vectors of some records

// Vector j of record `record` times its token.
template <class Panel, std::size_t record, std::size_t j, class Dot>
HWY_INLINE void addVector(Dot, const std::byte* block, const std::byte* x, VI (&sums)[slices]) {
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        sums[s] = Dot::add(sums[s], codesForDot<Panel, Dot>(Panel::template codes<record, j>(block, s * lanes)), x + 4 * j);
    }
}

// Vectors first, first + 1 … of records record, record + 1 …
template <class Panel, std::size_t record, std::size_t first, class Dot, std::size_t... i>
    requires(!std::is_same_v<Dot, PairSums>)
HWY_INLINE void addVectors(Dot dot, std::index_sequence<i...>, std::index_sequence<0>, const std::byte* block, const std::byte* x,
                           VI (*HWY_RESTRICT sums)[slices]) {
    (addVector<Panel, record + i, first>(dot, block, x + i * Record<1>::bytes, sums[i]), ...);
}

#if WB_PAIR_SUMS
// Sums of two products are kept in 16 bits as long as they fit, or in 32 where one fills them.
template <class Panel>
constexpr std::size_t vectorsAtOnce<Panel, PairSums> = std::clamp<std::size_t>(sumsInShorts<Panel>, 1, halfVectors<Panel>);

template <class Panel>
constexpr bool multipliesMagnitudes<Panel, PairSums> = sumsInShorts<Panel> == 0;

template <class Panel, std::size_t record, std::size_t j>
HWY_INLINE void multiplyVector(const std::byte* block, const std::byte* x, bool isFirst, VS (&sums)[slices]) {
    const VB four = fourCodes(x + 4 * j);
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        const VB codes = Panel::template codes<record, j>(block, s * lanes);
        VS product;
        if constexpr (multipliesMagnitudes<Panel, PairSums>) {
            const VB signedCodes = toSigned(codes);
            product = multiplyPairs(magnitudes(signedCodes), withSigns(four, signedCodes));
        } else {
            product = multiplyPairs(codes, four);
        }
        sums[s] = isFirst ? product : addHere(sums[s], product);
    }
}

template <class Panel, std::size_t record, std::size_t first, std::size_t... i, std::size_t... j>
HWY_INLINE void addVectors(PairSums, std::index_sequence<i...>, std::index_sequence<j...>, const std::byte* block,
                           const std::byte* x, VI (*HWY_RESTRICT sums)[slices]) {
    VS products[sizeof...(i)][slices];
    const auto multiply = [&]<std::size_t vector>() HWY_ATTR {
        (multiplyVector<Panel, record + i, first + vector>(block, x + i * Record<1>::bytes, vector == 0, products[i]), ...);
    };
    (multiply.template operator()<j>(), ...);
    WB_UNROLL for (std::size_t n = 0; n < sizeof...(i); ++n) {
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums[n][s] = addHere(sums[n][s], addPairs(products[n][s])); }
    }
}
#endif

// ---- records

// The first values of the sums: what takes the bias away.
template <class Panel, class Dot>
HWY_INLINE void startSums(const std::byte* x, RecordSums<Panel>& sums) {
    const auto start = [](std::int32_t negativeSum) HWY_ATTR {
        if constexpr (multipliesMagnitudes<Panel, Dot>) return hn::Zero(Ints());
        else return startForDot<Panel, Dot>(negativeSum);
    };
    WB_UNROLL for (std::size_t i = 0; i < recordsSummed<Panel>; ++i) {
        const std::byte* const token = x + i * Record<1>::bytes;
        const std::int32_t low = *ints(token + Record<1>::low), high = *ints(token + Record<1>::high);
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            sums.at[0][i][s] = start(Panel::splits ? low : low + high);
            if constexpr (Panel::splits) sums.at[1][i][s] = start(high);
        }
    }
}

template <class Panel, class Dot, std::size_t record, std::size_t... chunk>
HWY_INLINE void addChunks(std::index_sequence<chunk...>, const std::byte* block, const std::byte* x, RecordSums<Panel>& sums) {
    constexpr std::size_t vectors = vectorsAtOnce<Panel, Dot>;
    (addVectors<Panel, record, chunk * vectors>(Dot(), std::make_index_sequence<recordsSummed<Panel>>(),
                                                std::make_index_sequence<vectors>(), block, x,
                                                sums.at[chunk * vectors / halfVectors<Panel>]),
     ...);
}

// Adds the records [record, record + recordsSummed) to the sums of each slice, in their order.
template <class Panel, class Dot, std::size_t record>
HWY_INLINE void addRecords(const std::byte* block, const std::byte* x, VF (*HWY_RESTRICT acc)[1]) {
    static_assert(halfVectors<Panel> % vectorsAtOnce<Panel, Dot> == 0);
    RecordSums<Panel> sums;
    startSums<Panel, Dot>(x, sums);
    addChunks<Panel, Dot, record>(std::make_index_sequence<8 / vectorsAtOnce<Panel, Dot>>(), block, x, sums);
    WB_UNROLL for (std::size_t i = 0; i < recordsSummed<Panel>; ++i) {
        const std::byte* const token = x + i * Record<1>::bytes;
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            const std::size_t r = s * lanes;
            fold<1>(&sums.at[0][i][s], Panel::scale(block, record + i, r), token, acc[s]);
            if constexpr (Panel::splits) fold<1>(&sums.at[1][i][s], Panel::secondScale(block, record + i, r), token, acc[s]);
            const VF first = firstMinimum<Panel>(block, record + i, r), last = lastMinimum<Panel>(block, record + i, r);
            acc[s][0] = addMinimums<Panel, 1>(first, last, token, 0, acc[s][0]);
        }
    }
}

// Loads a number of each line and throws it away. The CPU's prefetcher follows loads in the order of their addresses, which those
// of a block are not exactly; prefetch instructions do not lead it.
HWY_INLINE void touchLines(const std::byte* from, std::size_t bytes) {
    for (std::size_t line = 0; line < bytes; line += 64)
        static_cast<void>(*static_cast<const volatile std::int32_t*>(ints(from + line)));
}

// The bytes between a block that jumps and what is loaded ahead of it. Others have their lines loaded right before they are used.
constexpr std::size_t readAheadBytes = 512;

template <class Panel, class Dot, std::size_t... group>
HWY_INLINE void addBlock(std::index_sequence<group...>, const std::byte* block, const std::byte* ahead, const std::byte* x,
                         VF (*HWY_RESTRICT acc)[1]) {
    constexpr std::size_t together = recordsTogether<Panel>, summed = recordsSummed<Panel>;
    const auto add = [&]<std::size_t record>() HWY_ATTR {
        constexpr std::size_t from = record * Panel::bytes / Panel::records / 64 * 64;
        constexpr std::size_t to = (record + (jumpsInBlock<Panel> ? summed : together)) * Panel::bytes / Panel::records / 64 * 64;
        if constexpr (jumpsInBlock<Panel>) touchLines(ahead + from, to - from);
        else if constexpr (record % together == 0) touchLines(block + from, to - from);
        addRecords<Panel, Dot, record>(block, x + record * Record<1>::bytes, acc);
    };
    (add.template operator()<group * recordsSummed<Panel>>(), ...);
}

// One panel. Several panels in turn would be more streams of memory than the prefetcher follows.
template <class Panel, class Dot>
void multiplyPanel(const Product& p) {
    VF acc[slices][1];
    for (auto& slice : acc) slice[0] = hn::Zero(Floats());
    const std::byte* block = p.panel;
    const std::byte* x = p.activations;
    const std::byte* const lastBlock = p.end - Panel::bytes;
    for (std::size_t b = 0; b < p.blocks; ++b, block += Panel::bytes, x += Panel::records * Record<1>::bytes) {
        addBlock<Panel, Dot>(std::make_index_sequence<Panel::records / recordsSummed<Panel>>(), block,
                             std::min(block + readAheadBytes, lastBlock), loadedAnew(x), acc);
    }
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { hn::StoreU(acc[s][0], Floats(), p.out + s * lanes); }
}

template <class Dot, std::size_t panels>
struct Panels {
    template <class Panel>
    struct Form {
        static void multiply(const Product& p) {
            Product one = p;
            for (std::size_t n = 0; n < panels; ++n) {
                multiplyPanel<Panel, Dot>(one);
                one.panel += p.panelBytes;
                one.out += panelRows;
            }
        }
    };
};

} // namespace

OneTokenForms oneTokenForms(ByteProducts products) {
    OneTokenForms forms{};
    withDot(products, [&]<class Dot>(Dot) {
        forms.one = integerForms<Panels<Dot, 1>::template Form>();
        forms.wide = integerForms<Panels<Dot, widePanels>::template Form>();
    });
    return forms;
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(oneTokenForms);

OneTokenForms oneTokenSimd(ByteProducts products) { return HWY_DYNAMIC_DISPATCH(oneTokenForms)(products); }

} // namespace wb::infer::cpu
#endif
