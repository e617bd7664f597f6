// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

// The fitting procedures of docs/reference/gguf.md, "Fitting procedures" in scalar form. All take n values (n <= 32), fill n codes,
// and walk in index order with one f32 accumulator a sum, because the order decides bytes.
namespace wb::quant {

// The value of the first element whose magnitude is strictly largest, and that magnitude.
struct SignedLargest {
    float value = 0;
    float magnitude = 0;
};
SignedLargest signedLargest(std::span<const float> x);

// QX (reference: make_qx_quants): symmetric levels -n … n-1, stored as 0 … 2n-1; returns the scale. Weights default to x².
// A group below 1e-15 gets codes 0 (not n) and scale 0.
float fitSymmetric(int n, std::span<const float> x, std::span<const float> weights, std::span<std::uint8_t> codes);

// Q3 (reference: make_q3_quants): as QX, refined by sweeps over single elements instead of by a search.
float fitBySweeps(int n, std::span<const float> x, std::span<std::uint8_t> codes);

struct AffineFit {
    float scale = 0;
    float minimum = 0; // the amount that is subtracted: value = scale · code - minimum
};
struct AffineSearch {
    float first; // the search tries first + step·t for t = 0 … tries
    float step;
    int tries;
    bool absoluteError;   // the error is |e| instead of e²
    bool emptyIfNotAbove; // QKX3: no range also where hi < lo; QKX2 tests hi == lo
};
// QKX2, QKX3 (reference: make_qkx2_quants, make_qkx3_quants): codes 0 … n with a scale and a minimum.
AffineFit fitAffine(int n, std::span<const float> x, std::span<const float> weights, const AffineSearch& search,
                    std::span<std::uint8_t> codes);

// QP (reference: make_qp_quants): non-negative codes 0 … n in unsigned bytes; negative values wrap, as in the reference.
float fitPositive(int n, std::span<const float> x, std::span<const float> weights, std::span<std::uint8_t> codes);

} // namespace wb::quant
