// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/lattice_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/lattice-inl.h"

// One token times lattices on x86: the products of a row's 32 columns are summed in one vector, and the sums of eight rows are then
// brought side by side. Points come from memory one by one, so that longer vectors gain nothing.
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if !WB_PAIR_SUMS
OneTokenForms latticeForms() { return {}; }
#else

namespace {

// The largest code, and how many sums of two products fit into 16 bits.
template <class L>
constexpr int largestCode = L::shifts ? 2 * L::largest : L::largest;
template <class L>
constexpr int sumsInRow = 32767 / (2 * 127 * largestCode<L>);

// Sums of two products of each of eight rows, to the sums of their first and their last 16 columns, row by row.
struct HalfSums {
    __m256i low, high;
};

// Words of `a` and `b` in turn, added to the words two further.
HWY_INLINE __m256i foldWords(__m256i a, __m256i b) {
    return _mm256_add_epi16(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
}

HWY_INLINE __m256i addNeighbors(__m256i sums) { return _mm256_madd_epi16(sums, _mm256_set1_epi16(1)); }

// Four rows: [row] words in each half of the vector.
template <class L>
HWY_INLINE __m256i foldRows(__m256i a, __m256i b, __m256i c, __m256i d) {
    static_assert(sumsInRow<L> >= 2);
    const __m256i ab = foldWords(a, b), cd = foldWords(c, d);
    if constexpr (sumsInRow<L> >= 4)
        return addNeighbors(_mm256_add_epi16(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd)));
    const __m256i sumAb = addNeighbors(ab), sumCd = addNeighbors(cd);
    return _mm256_add_epi32(_mm256_unpacklo_epi64(sumAb, sumCd), _mm256_unpackhi_epi64(sumAb, sumCd));
}

template <class L>
HWY_INLINE HalfSums foldEight(const __m256i (&rows)[8]) {
    const __m256i first = foldRows<L>(rows[0], rows[1], rows[2], rows[3]), last = foldRows<L>(rows[4], rows[5], rows[6], rows[7]);
    return {_mm256_permute2x128_si256(first, last, 0x20), _mm256_permute2x128_si256(first, last, 0x31)};
}

template <class L>
HWY_INLINE __m256i multiplyRow(const std::byte* at, const LatticeRows<L>& rows, std::size_t r, __m256i x) {
    const __m256i points = rowPoints(at, rows, r);
    if constexpr (L::shifts) return _mm256_maddubs_epi16(points, x);
    else return _mm256_maddubs_epi16(points, withColumnSigns(x, rows.signs[r]));
}

HWY_INLINE __m256 addProducts(__m256i sums, const float* rowScales, __m256 tokenScale, __m256 acc) {
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums), _mm256_mul_ps(_mm256_load_ps(rowScales), tokenScale), acc);
}

// Adds a record of eight rows.
template <class L>
HWY_INLINE __m256 addEightRows(const std::byte* at, const LatticeRows<L>& rows, std::size_t first, const std::byte* token,
                               __m256 acc) {
    using R = Record<1>;
    const __m256i x = load256(token);
    __m256i products[8];
    WB_UNROLL for (std::size_t r = 0; r < 8; ++r) { products[r] = multiplyRow(at, rows, first + r, x); }
    HalfSums sums = foldEight<L>(products);
    const __m256 scale = _mm256_set1_ps(*floats(token + R::scale));
    if constexpr (L::shifts) { // the codes are 9 more than they stand for
        sums.low = _mm256_add_epi32(sums.low, _mm256_set1_epi32(L::largest * *ints(token + R::low)));
        sums.high = _mm256_add_epi32(sums.high, _mm256_set1_epi32(L::largest * *ints(token + R::high)));
    }
    if constexpr (!L::splits) return addProducts(_mm256_add_epi32(sums.low, sums.high), rows.scales[0] + first, scale, acc);
    acc = addProducts(sums.low, rows.scales[0] + first, scale, acc);
    return addProducts(sums.high, rows.scales[1] + first, scale, acc);
}

template <class L>
void multiplyPanel(const std::byte* block, const Product& p, float* out) {
    __m256 acc[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    const std::byte* x = p.activations;
    for (std::size_t b = 0; b < p.blocks; ++b, block += L::bytes) {
        __m256 d[2];
        loadD(block, d);
        for (std::size_t record = 0; record < L::records; ++record, x += Record<1>::bytes) {
            LatticeRows<L> rows;
            writeScales(block, record, d, rows);
            writeRecord(block, record, rows);
            readFromMemory(rows);
            const std::byte* const at = block + L::first + record * L::recordBytes;
            WB_UNROLL for (std::size_t s = 0; s < 2; ++s) { acc[s] = addEightRows(at, rows, 8 * s, x, acc[s]); }
        }
    }
    _mm256_storeu_ps(out, acc[0]);
    _mm256_storeu_ps(out + 8, acc[1]);
}

template <class L, std::size_t panels>
void multiplyLattice(const Product& p) {
    for (std::size_t n = 0; n < panels; ++n) multiplyPanel<L>(p.panel + n * p.panelBytes, p, p.out + n * panelRows);
}

} // namespace

OneTokenForms latticeForms() {
    OneTokenForms forms{};
    eachLattice([&]<class L>(PanelType type) {
        forms.one[static_cast<std::size_t>(type)] = multiplyLattice<L, 1>;
        forms.wide[static_cast<std::size_t>(type)] = multiplyLattice<L, widePanels>;
    });
    return forms;
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(latticeForms);

OneTokenForms oneTokenLattices() { return HWY_DYNAMIC_DISPATCH(latticeForms)(); }

} // namespace wb::infer::cpu
#endif
