// SPDX-License-Identifier: MIT
// The sub-blocks of IQ2 and IQ3 side by side. Included once per SIMD target.
#if defined(WB_QUANT_LATTICE_SUB_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_LATTICE_SUB_BLOCKS_INL_H
#undef WB_QUANT_LATTICE_SUB_BLOCKS_INL_H
#else
#define WB_QUANT_LATTICE_SUB_BLOCKS_INL_H
#endif

#include "core/quant/kernels/batch-inl.h"
#include "core/quant/kernels/lanes-inl.h"
#include "core/quant/kernels/lattice.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace { // so that what is called once is inlined

using scalar::LatticeType;

constexpr std::size_t maxPoints = 8; // of a sub-block

// A number for each point of the sub-block in each lane.
struct PointArray {
    HWY_ALIGN std::int32_t values[maxPoints * maxLanes];
    VI get(std::size_t k) const { return hn::Load(Ints(), values + k * maxLanes); }
    void set(std::size_t k, VI value) { hn::Store(value, Ints(), values + k * maxLanes); }
};

// The sub-blocks in the lanes.
struct SubBlocks {
    Batch<V> b;                                  // magnitudes and weights
    HWY_ALIGN float wx[largestGroup * maxLanes]; // their products, as in the batch
    // The same magnitudes, the roots of the weights, which weigh distances to neighbors, and 2 · root · magnitude, sub-block after
    // sub-block; the content after them is read but not used.
    HWY_ALIGN float y[(largestGroup + 1) * maxLanes] = {};
    HWY_ALIGN float roots[(largestGroup + 1) * maxLanes] = {};
    HWY_ALIGN float products[(largestGroup + 1) * maxLanes] = {};
    HWY_ALIGN float energies[maxPoints * maxLanes]; // Σ root · magnitude² of a point
    PointArray signs;                               // bits, one number a group of eight
    PointArray codes;
    PointArray onGrid;                // 1 where the code needed no neighbor
    HWY_ALIGN float active[maxLanes]; // 1 where the sub-block is not skipped
};

VI BitOf(M mask, unsigned bit) { return hn::IfThenElseZero(hn::RebindMask(Ints(), mask), hn::Set(Ints(), 1 << bit)); }

// Lanes with an odd number of bits among the low eight.
M OddParity(VI bits) {
    bits = hn::Xor(bits, hn::ShiftRight<4>(bits));
    bits = hn::Xor(bits, hn::ShiftRight<2>(bits));
    bits = hn::And(hn::Xor(bits, hn::ShiftRight<1>(bits)), hn::Set(Ints(), 1));
    return hn::RebindMask(Floats(), hn::Eq(bits, hn::Set(Ints(), 1)));
}

// Takes the signs of a group of eight away. Where seven bits must tell all eight, the element that costs least takes the wrong one.
VI TakeSigns(bool parity, Batch<V>& b, std::size_t k) {
    VI signs = hn::Zero(Ints());
    V least = Number(0);
    VI cheapest = hn::Zero(Ints());
    for (unsigned i = 0; i < 8; ++i) {
        const V x = b.X(8 * k + i);
        const V cost = hn::Mul(hn::Mul(b.W(8 * k + i), x), x);
        const M cheaper = hn::Lt(cost, least);
        if (i == 0) least = cost;
        else least = hn::IfThenElse(cheaper, cost, least);
        if (i > 0) cheapest = hn::IfThenElse(hn::RebindMask(Ints(), cheaper), hn::Set(Ints(), static_cast<int>(i)), cheapest);
        const M negative = hn::Lt(x, Number(0));
        signs = hn::Or(signs, BitOf(negative, i));
        StoreAt(hn::IfThenElse(negative, hn::Neg(x), x), b.x + b.at(8 * k + i));
    }
    if (!parity) return signs;
    const M odd = OddParity(signs);
    for (unsigned i = 0; i < 8; ++i) {
        const M flipped = hn::And(odd, hn::RebindMask(Floats(), hn::Eq(cheapest, hn::Set(Ints(), static_cast<int>(i)))));
        signs = hn::Xor(signs, BitOf(flipped, i));
        const V y = b.X(8 * k + i);
        StoreAt(hn::IfThenElse(flipped, hn::Neg(y), y), b.x + b.at(8 * k + i));
    }
    return hn::And(signs, hn::Set(Ints(), 127));
}

// Fills what SubBlocks has again, from the batch.
void SpreadSubBlocks(std::size_t digits, SubBlocks& sub) {
    for (std::size_t i = 0; i < sub.b.size; ++i) {
        StoreAt(hn::Mul(sub.b.W(i), sub.b.X(i)), sub.wx + sub.b.at(i));
        const V y = sub.b.X(i), root = hn::Sqrt(sub.b.W(i)), product = hn::Mul(hn::Mul(Number(2), root), y);
        HWY_ALIGN float lanes[3][maxLanes];
        StoreAt(y, lanes[0]);
        StoreAt(root, lanes[1]);
        StoreAt(product, lanes[2]);
        for (std::size_t lane = 0; lane < Lanes(); ++lane) {
            sub.y[lane * largestGroup + i] = lanes[0][lane];
            sub.roots[lane * largestGroup + i] = lanes[1][lane];
            sub.products[lane * largestGroup + i] = lanes[2][lane];
        }
        float* const energy = sub.energies + i / digits * maxLanes;
        const V before = i % digits == 0 ? Number(0) : hn::Load(Floats(), energy);
        StoreAt(hn::MulAdd(hn::Mul(root, y), y, before), energy);
    }
}

void Prepare(const LatticeType& type, const Groups<V>& places, const float* x, const float* columns, V meanSquare, SubBlocks& sub) {
    sub.b.size = type.subBlock;
    sub.b.load(places, x, sub.b.x);
    if (columns) sub.b.load(places, columns, sub.b.w);
    for (std::size_t i = 0; i < sub.b.size; ++i) {
        const V square = hn::Mul(sub.b.X(i), sub.b.X(i));
        V w = type.plainMean != 0 ? hn::Add(hn::Mul(Number(type.plainMean), meanSquare), square) : square;
        if (columns) w = hn::Mul(sub.b.W(i), hn::Sqrt(hn::Add(meanSquare, square)));
        StoreAt(w, sub.b.w + sub.b.at(i));
    }
    for (std::size_t k = 0; k < sub.b.size / 8; ++k) sub.signs.set(k, TakeSigns(type.paritySigns, sub.b, k));
    SpreadSubBlocks(type.grid().digits(), sub);
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
