// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/unit/quant/divisor_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/fit_symmetric-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

constexpr int mantissas = 1 << 23;

// How many quotients of one numerator and all divisors with the exponent of `least` are not those of a division.
std::size_t WrongQuotients(float numerator, float least) {
    const Floats d;
    const Ints di;
    const VI bits = hn::BitCast(di, Number(least));
    std::size_t wrong = 0;
    for (int first = 0; first < mantissas; first += static_cast<int>(Lanes())) {
        const V divisor = hn::BitCast(d, hn::Add(bits, hn::Iota(di, first)));
        const V quotient = Divisor<V>(divisor, hn::Gt(divisor, Number(0))).quotient(numerator);
        wrong += hn::CountTrue(d, hn::Ne(quotient, hn::Div(Number(numerator), divisor)));
    }
    return wrong;
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {
namespace {

HWY_EXPORT(WrongQuotients);

// All numerators that there are, see Divisor. Signs and powers of two change nothing, as long as no reciprocal is subnormal.
TEST(Divisor, GivesEveryQuotientOfADivision) {
    for (const int n : {4, 32})
        for (int t = -9; t <= 9; ++t) {
            const float numerator = -(static_cast<float>(n) + 0.1f * static_cast<float>(t));
            EXPECT_EQ(HWY_DYNAMIC_DISPATCH(WrongQuotients)(numerator, 1), 0u) << numerator;
        }
    EXPECT_EQ(HWY_DYNAMIC_DISPATCH(WrongQuotients)(-32.9f, 0x1p127f), 0u);
}

} // namespace
} // namespace wb::quant
#endif
