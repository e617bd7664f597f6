// SPDX-License-Identifier: MIT
// Which blocks a device that flushes subnormal numbers may get wrong: Vulkan allows treating them as zero as operands and as results. With MARKS
// a quantizer watches where such a number may arise and marks the block; the host quantizes marked blocks again.
//
// Every mark follows from one of these rules. The first one names the numbers that no sum can make subnormal:
//
// 1. Coarse. A number that is zero or at least 2^-95 in magnitude is a multiple of 2^-118, the last bit of a float of that size. Sums and
//    differences of multiples of 2^-118 are multiples of it too, however they are rounded, so they are zero or far above 2^-126, and so
//    are their products with small integers, with 1/8 (IQ1) and with its square. Hence: elements and weights are coarse, and every product
//    that enters a sum with others is (`watchTerm`), or the block is marked. Times an integer a coarse number stays coarse.
// 2. Product. One that enters no sum, or only sums of numbers of one sign, need not be coarse, only normal (`watchProduct`): no sum of numbers
//    of one sign is below its parts.
// 3. Quotient. exactDivide() works on integers, so a subnormal quotient is right, but what is computed with it is not (`watch`).
// 4. What vanishes next to a larger number may be subnormal: a number below 2^-125 that is added to one of at least 2^-100 changes nothing
//    (half of the last bit of 2^-100 is 2^-124). Thus scaled values about to be rounded to integers by adding 1.5 · 2^23 need no rule.
// 5. Elements of 2^20 and weights of 2^40 or more, which no model has, are marked as well: infinities among the intermediates decide there, of
//    which Vulkan declares little. So no inverse of an element, or of a sum or difference of two, is subnormal.
//
// Non-finite values are not marked: the host refuses it anyway. A mark may be set where nothing went wrong, never the other way round.
layout(constant_id = 1) const bool MARKS = false;

#ifndef MARKS_BINDING
#define MARKS_BINDING 5
#endif
layout(set = 0, binding = MARKS_BINDING) buffer Marks { uint words[]; } marks; // a bit a block, 0 at first; unused without MARKS

const uint COARSE = (127u - 95u) << 23; // bits of 2^-95
const uint LARGE_ELEMENT = (127u + 20u) << 23;
const uint LARGE_WEIGHT = (127u + 40u) << 23;
const uint LEAST = (127u - 125u) << 23; // a bit above the least normal number: what is rounded up to that may have been flushed before
const float ABSORBS = 7.8886090522101181e-31; // 2^-100

// Whether a value computed by the invocation since the last report may have been subnormal.
bool vanishes = false;

uint sizeOf(float x) { return floatBitsToUint(x) & 0x7fffffffu; }

void markBlock(uint block) { atomicOr(marks.words[block / 32u], 1u << (block % 32u)); }

void watchCoarse(float x) {
    if (MARKS) vanishes = vanishes || sizeOf(x) - 1u < COARSE - 1u;
}

// Rules 1 and 5. Wraps where x is smaller, so that infinities and NaN are not among the large ones.
void watchInput(float x, uint large) {
    watchCoarse(x);
    if (MARKS) vanishes = vanishes || sizeOf(x) - large < 0x7f800000u - large;
}

void watch(float quotient) {
    if (MARKS) vanishes = vanishes || sizeOf(quotient) - 1u < LEAST - 1u;
}

void watchAbove(uint least, float a, float b, float product) {
    if (MARKS) vanishes = vanishes || (sizeOf(product) < least && sizeOf(a) != 0u && sizeOf(b) != 0u);
}
void watchProduct(float a, float b, float product) { watchAbove(LEAST, a, b, product); }
void watchTerm(float a, float b, float product) { watchAbove(COARSE, a, b, product); }

// x² before it is added to a sum of squares: rules 2 and 4.
void watchSquare(float x, float square, float sum) {
    if (MARKS) vanishes = vanishes || (sizeOf(square) < LEAST && sizeOf(x) != 0u && sum < ABSORBS);
}

// The least of the magnitudes that are not zero: as integers, with zero as the largest. NOTHING where all are zero.
const uint NOTHING = 0xffffffffu;
uint minOf(uint least, float x) { return MARKS ? min(least, sizeOf(x) - 1u) : least; }
float minValue(uint least) { return least == NOTHING ? 1.0 : uintBitsToFloat(least + 1u); }
