// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

// The loops of merging, over arrays of f32 of one length: the first span tells how many elements there are. Every element is
// computed by itself and without fused steps, so vectors of any width give the bits of the readable forms in `scalar`, and tests
// compare them. No pointer may overlap another one.
namespace wb::merge {

// Which differences of one model stay, known after all of the tensor was read.
struct Kept {
    // Ties: those whose magnitude, as the bits of an f32, is above the threshold, and of those at it the first ones.
    std::uint32_t threshold = 0;
    std::uint64_t equal = 0; // how many at the threshold stay
    bool keepsAll = true;    // the density is 1
    // DARE: the factor of the differences that stay.
    float factor = 1;
};

// The magnitude by which differences are ordered.
inline std::uint32_t magnitudeBits(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu; }

// A row of a product of matrices: L [1, rank] and R [rank, columns], of which the columns from `right` on are used.
struct ProductRow {
    std::span<const float> left;
    const float* right = nullptr;
    std::size_t stride = 0; // columns of R
};

bool areFinite(std::span<const float> values);
// out = left - right
void subtract(std::span<const float> left, const float* right, float* out);
// Differences that do not stay become zero; counts those at the threshold in `equalBefore`.
void dropSmall(std::span<float> values, const Kept& kept, std::uint64_t& equalBefore);
// values = values * factor
void multiply(std::span<float> values, float factor);
// values = values / by
void divide(std::span<float> values, float by);
// sums = sums + factor * values
void addScaled(std::span<const float> values, float factor, float* sums);
// Adds values that have the sign of `signs` (of zero: plus), and the weight of their model. Zeros do not count.
void addElected(std::span<const float> values, const float* signs, float weight, float* sums, float* weights);
// The same element by element, where `by` is not zero.
void divide(std::span<float> values, const float* by);
// values = values + factor * Σ left[k] * R[k], k in order
void addProduct(std::span<float> values, const ProductRow& row, float factor);
// Adds to counts[low bits of a magnitude] for magnitudes of right - left whose bits above `lowBits` are `high`.
void countLowBits(std::span<const float> left, const float* right, std::uint32_t high, unsigned lowBits, std::uint32_t* counts);
// The number of magnitudes of right - left that are `magnitude`.
std::uint64_t countMagnitude(std::span<const float> left, const float* right, std::uint32_t magnitude);
// Rounds to nearest, ties to even; `out` has two bytes for each.
void storeBf16(std::span<const float> values, std::byte* out);

namespace scalar {
bool areFinite(std::span<const float> values);
void subtract(std::span<const float> left, const float* right, float* out);
void dropSmall(std::span<float> values, const Kept& kept, std::uint64_t& equalBefore);
void multiply(std::span<float> values, float factor);
void divide(std::span<float> values, float by);
void addScaled(std::span<const float> values, float factor, float* sums);
void addElected(std::span<const float> values, const float* signs, float weight, float* sums, float* weights);
void divide(std::span<float> values, const float* by);
void addProduct(std::span<float> values, const ProductRow& row, float factor);
void countLowBits(std::span<const float> left, const float* right, std::uint32_t high, unsigned lowBits, std::uint32_t* counts);
std::uint64_t countMagnitude(std::span<const float> left, const float* right, std::uint32_t magnitude);
void storeBf16(std::span<const float> values, std::byte* out);
} // namespace scalar

} // namespace wb::merge
