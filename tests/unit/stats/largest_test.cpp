// SPDX-License-Identifier: MIT
#include "core/stats/map/largest.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wb::stats {
namespace {

TensorMap inputMap(const MapInput& input, const Matrix& matrix) { return *makeCpuMapBackend(1)->build(input, matrix, {}); }

std::vector<TopElement> largest(const MapInput& input, const Matrix& matrix, std::size_t count) {
    auto top = largestElements(input, inputMap(input, matrix), count, {});
    EXPECT_TRUE(top) << top.error().message();
    return top ? *top : std::vector<TopElement>();
}

// All elements sorted.
std::vector<std::uint64_t> sorted(const std::vector<float>& values, const Matrix& matrix, std::size_t count) {
    std::vector<std::uint64_t> order;
    for (std::uint64_t i = matrix.first; i < matrix.first + matrix.elements(); ++i)
        if (std::isfinite(values[i])) order.push_back(i);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::uint64_t i) { return std::abs(values[i]); });
    order.resize(std::min(order.size(), count));
    return order;
}

std::vector<std::uint64_t> indices(const std::vector<TopElement>& top) {
    std::vector<std::uint64_t> all;
    for (const TopElement& element : top) all.push_back(element.index);
    return all;
}

TEST(Largest, AreThoseOfAllElementsSorted) {
    const auto shape = *Shape::make({2, 67, 300});
    std::vector<float> values(shape.elements());
    for (const unsigned levels : {3u, 40u, 100'000u}) { // few values: very many are equal
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(static_cast<int>(i * 2'654'435'761u % levels) - static_cast<int>(levels / 3));
        values[7] = std::numeric_limits<float>::quiet_NaN();
        values[8] = -std::numeric_limits<float>::infinity();
        const TensorReader reader = test::makeReader(Dtype::F32, shape, values);
        for (const std::uint64_t slice : {0u, 1u}) {
            const Matrix matrix = sliceMatrix(shape, slice);
            const auto top = largest({&reader}, matrix, 100);
            EXPECT_EQ(indices(top), sorted(values, matrix, 100)) << levels;
            for (const TopElement& element : top) EXPECT_EQ(asDouble(element.value), double{values[element.index]});
        }
    }
}

TEST(Largest, BeginWithThoseOfTheStatistics) {
    for (const Dtype dtype : {Dtype::Q4_K, Dtype::BF16, Dtype::F64, Dtype::I8}) {
        const auto shape = *Shape::make({64, 512});
        const TensorReader reader = test::makeReader(dtype, shape, test::randomBytes(dtype, shape.elements(), 6));
        const auto expected = computeScalar(reader, {})->top;
        const auto top = largest({&reader}, sliceMatrix(shape, 0), 100);
        ASSERT_EQ(top.size(), 100u);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_EQ(asDouble(top[i].value), asDouble(expected[i].value)) << info(dtype).name;
    }
}

TEST(Largest, OfAComparisonAreTheLargestDifferences) {
    const auto shape = *Shape::make({20, 30});
    std::vector<float> a(shape.elements(), 1), b(shape.elements(), 1);
    a[599] = 4;
    b[17] = 3;
    b[300] = -5;
    const TensorReader first = test::makeReader(Dtype::F32, shape, a), second = test::makeReader(Dtype::F32, shape, b);
    const auto top = largest({&first, &second}, sliceMatrix(shape, 0), 4);
    EXPECT_EQ(indices(top), (std::vector<std::uint64_t>{300, 599, 17, 0}));
    EXPECT_EQ(asDouble(top[0].value), 6);
    EXPECT_EQ(asDouble(top[2].value), -2);
}

TEST(Largest, OfFewElementsAreAllOfThem) {
    const auto shape = *Shape::make({1, 3});
    const TensorReader reader = test::makeReader(Dtype::F32, shape, std::vector<float>{1, -3, std::nanf("")});
    EXPECT_EQ(indices(largest({&reader}, sliceMatrix(shape, 0), 100)), (std::vector<std::uint64_t>{1, 0}));
    const auto none = *Shape::make({0, 3});
    const TensorReader empty = test::makeReader(Dtype::F32, none, std::vector<float>());
    EXPECT_TRUE(largest({&empty}, sliceMatrix(none, 0), 100).empty());
}

} // namespace
} // namespace wb::stats
