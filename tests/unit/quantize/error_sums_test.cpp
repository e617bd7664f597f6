// SPDX-License-Identifier: MIT
#include "core/convert/quantize/error_sums.h"
#include "tests/unit/support/simd_targets.h"

#include <cmath>
#include <vector>

namespace wb::quantize {
namespace {

TEST(ErrorSums, AreTheSameNumbersOnEverySimdTarget) {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 32u, 4096u, 10000u}) {
        std::vector<float> source(count), decoded(count);
        double e2[8] = {}, w2[8] = {}, v2[8] = {}, wv[8] = {};
        for (std::size_t i = 0; i < count; ++i) {
            source[i] = std::sin(static_cast<float>(i));
            decoded[i] = std::round(source[i] * 8) / 8;
            const double w = source[i];
            const double v = decoded[i];
            e2[i % 8] += (v - w) * (v - w);
            w2[i % 8] += w * w;
            v2[i % 8] += v * v;
            wv[i % 8] += w * v;
        }
        ErrorSums expected;
        for (std::size_t s = 0; s < 8; ++s) expected += {e2[s], w2[s], v2[s], wv[s]};
        test::forEachSimdTarget([&] {
            const ErrorSums sums = errorSums(source, decoded);
            EXPECT_EQ(sums.e2, expected.e2);
            EXPECT_EQ(sums.w2, expected.w2);
            EXPECT_EQ(sums.v2, expected.v2);
            EXPECT_EQ(sums.wv, expected.wv);
        });
    }
}

TEST(ErrorSums, ShowAValueThatIsNotFinite) {
    std::vector<float> source(40, 1.0F), decoded(40, 1.0F);
    source[13] = INFINITY;
    decoded[39] = NAN;
    test::forEachSimdTarget([&] {
        const ErrorSums sums = errorSums(source, decoded);
        EXPECT_FALSE(std::isfinite(sums.w2));
        EXPECT_FALSE(std::isfinite(sums.v2));
    });
}

} // namespace
} // namespace wb::quantize
