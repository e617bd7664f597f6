// SPDX-License-Identifier: MIT
#include "compare.h"
#include "core/stats/stats.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

namespace wb::stats {
namespace {

using test::makeReader;
using test::makeRow;

TensorStats onCpu(const TensorReader& reader, const Options& options = {}) {
    return makeCpuBackend()->compute(reader, options, {}).value();
}

void expectLikeScalar(const TensorReader& reader, const std::string& what, const Options& options = {}) {
    test::expectSame(onCpu(reader, options), computeScalar(reader, options).value(), what);
}

class EveryType : public testing::TestWithParam<Dtype> {};

TEST_P(EveryType, AgreesWithTheScalarForm) {
    const std::uint64_t block = info(GetParam()).blockElements;
    for (const std::uint64_t atLeast : {std::uint64_t{0}, block, 4096 + block, std::uint64_t{8192}, std::uint64_t{70'000}}) {
        const std::uint64_t elements = (atLeast + block - 1) / block * block;
        const auto reader = makeReader(GetParam(), *Shape::make({elements}), test::randomBytes(GetParam(), elements, 7));
        expectLikeScalar(reader, name(GetParam()) + std::string(" x ") + std::to_string(elements));
    }
}

TEST_P(EveryType, DoesNotDependOnTheThreads) {
    const Shape shape = *Shape::make({3, 300, 256});
    const auto reader = makeReader(GetParam(), shape, test::randomBytes(GetParam(), shape.elements(), 11));
    for (const Axis axis : {Axis::Row, Axis::Column}) {
        const std::string one = test::exactText(onCpu(reader, {.channels = axis, .threads = 1}), shape);
        for (const unsigned threads : {2u, 7u, 16u})
            EXPECT_EQ(test::exactText(onCpu(reader, {.channels = axis, .threads = threads}), shape), one) << threads << " threads";
    }
}

TEST_P(EveryType, CountsChannelsLikeTheScalarForm) {
    const Shape shape = *Shape::make({300, 256});
    const auto reader = makeReader(GetParam(), shape, test::randomBytes(GetParam(), shape.elements(), 13));
    expectLikeScalar(reader, "rows", {.channels = Axis::Row});
    expectLikeScalar(reader, "columns", {.channels = Axis::Column});
}

INSTANTIATE_TEST_SUITE_P(Dtypes, EveryType, testing::ValuesIn([] {
                             std::vector<Dtype> all;
                             for (const DtypeInfo& type : allDtypes()) all.push_back(type.dtype);
                             return all;
                         }()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

TEST(CpuBackend, HandlesEveryLengthAroundATile) {
    std::mt19937 random(3);
    for (const std::size_t n :
         std::initializer_list<std::size_t>{0, 1, 2, 4095, 4096, 4097, 4098, 4111, 4112, 4113, 8191, 8192, 8193}) {
        std::vector<float> values(n);
        for (float& value : values) value = std::normal_distribution<float>()(random);
        expectLikeScalar(makeRow(Dtype::F32, values), std::to_string(n));
    }
}

TEST(CpuBackend, HandlesValuesThatAreNotOrdinary) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
    constexpr std::size_t n = 10'000;
    const auto filled = [](auto valueAt) {
        std::vector<float> values(n);
        for (std::size_t i = 0; i < n; ++i) values[i] = valueAt(i);
        return makeRow(Dtype::F32, values);
    };
    expectLikeScalar(filled([](auto) { return 0.1f; }), "constant");
    expectLikeScalar(filled([](auto i) { return i % 3 == 0 ? -1.0f : 2.0f; }), "two values");
    expectLikeScalar(filled([](auto i) { return i % 2 == 0 ? 0.0f : -0.0f; }), "zeros of both signs");
    expectLikeScalar(filled([&](auto) { return notANumber; }), "nothing but NaN");
    expectLikeScalar(filled([&](auto i) { return i == 5000 ? -infinity : 1.0f + static_cast<float>(i); }), "one infinity");
    expectLikeScalar(filled([&](auto i) { return i % 2 == 0 ? infinity : -notANumber; }), "nothing finite");
    expectLikeScalar(filled([](auto i) { return 1e-45f * static_cast<float>(i % 100); }), "subnormals");
    expectLikeScalar(filled([](auto i) { return i % 2 == 0 ? 1e30f : -1e30f; }), "huge and alternating");
    expectLikeScalar(filled([](auto i) { return static_cast<float>(i); }), "rising");
    expectLikeScalar(filled([](auto i) { return i == 77 || i == 9999 ? 1000.0f : static_cast<float>(i % 7); }), "planted outliers");
}

TEST(CpuBackend, KeepsDoublesAtTheLimits) {
    constexpr double largest = std::numeric_limits<double>::max();
    std::vector<double> values(9000, 1.5);
    values[4] = largest;
    values[5000] = -largest;
    values[8000] = std::numeric_limits<double>::denorm_min();
    expectLikeScalar(makeRow(Dtype::F64, values), "doubles");
    std::vector<double> small(5000, std::numeric_limits<double>::denorm_min());
    small[4999] *= 12;
    expectLikeScalar(makeRow(Dtype::F64, small), "small doubles");
}

template <typename T>
void expectIntegersAtTheLimits(Dtype dtype) {
    std::vector<T> values(5000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i);
    values[4321] = std::numeric_limits<T>::min();
    values[17] = std::numeric_limits<T>::max();
    values[18] = std::numeric_limits<T>::max() - 1;
    const auto reader = makeRow(dtype, values);
    expectLikeScalar(reader, name(dtype));
    EXPECT_EQ(onCpu(reader).max, computeScalar(reader, {})->max);
}

TEST(CpuBackend, KeepsIntegersExact) {
    expectIntegersAtTheLimits<std::int8_t>(Dtype::I8);
    expectIntegersAtTheLimits<std::uint8_t>(Dtype::U8);
    expectIntegersAtTheLimits<std::int16_t>(Dtype::I16);
    expectIntegersAtTheLimits<std::uint16_t>(Dtype::U16);
    expectIntegersAtTheLimits<std::int32_t>(Dtype::I32);
    expectIntegersAtTheLimits<std::uint32_t>(Dtype::U32);
    expectIntegersAtTheLimits<std::int64_t>(Dtype::I64);
    expectIntegersAtTheLimits<std::uint64_t>(Dtype::U64);
}

TEST(CpuBackend, CountsAnyNumberOfBins) {
    const auto reader = makeReader(Dtype::F32, *Shape::make({100'000}), test::randomBytes(Dtype::F32, 100'000, 5));
    for (const std::uint32_t bins : {1u, 2u, 3u, 255u, 1000u, 65'535u, 65'536u})
        expectLikeScalar(reader, std::to_string(bins), {.bins = bins});
}

TEST(CpuBackend, CutsWideMatricesIntoStrips) {
    const Shape shape = *Shape::make({3, 70'001});
    for (const Dtype dtype : {Dtype::F32, Dtype::I8}) {
        const auto reader = makeReader(dtype, shape, test::randomBytes(dtype, shape.elements(), 17));
        expectLikeScalar(reader, name(dtype), {.channels = Axis::Column});
        expectLikeScalar(reader, name(dtype), {.channels = Axis::Row});
    }
}

TEST(CpuBackend, StopsWhenAsked) {
    const auto reader = makeReader(Dtype::F32, *Shape::make({2'000'000}), std::vector<float>(2'000'000, 1));
    std::stop_source source;
    std::atomic<std::uint64_t> last{0};
    Progress progress{source.get_token(), [&](std::uint64_t done, std::uint64_t total) {
                          last = done;
                          EXPECT_EQ(total, 2u * 8'000'000u);
                          source.request_stop();
                      }};
    const auto stopped = makeCpuBackend()->compute(reader, {.threads = 2}, progress);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
    EXPECT_LT(last, 4'000'000u); // a slab a thread
}

TEST(CpuBackend, ReportsAllBytesInTheEnd) {
    for (const Dtype dtype : {Dtype::F32, Dtype::BF16, Dtype::I64, Dtype::Q4_K}) {
        const auto reader = makeReader(dtype, *Shape::make({1024, 1024}), test::randomBytes(dtype, 1 << 20, 19));
        std::atomic<std::uint64_t> max{0};
        std::atomic<std::uint64_t> total{0};
        Progress progress{{}, [&](std::uint64_t done, std::uint64_t all) {
                              std::uint64_t seen = max;
                              while (seen < done && !max.compare_exchange_weak(seen, done)) {
                              }
                              total = all;
                          }};
        ASSERT_TRUE(makeCpuBackend()->compute(reader, {.channels = Axis::Column, .threads = 3}, progress));
        EXPECT_EQ(max, total) << name(dtype);
    }
}

TEST(CpuBackend, RefusesWrongOptions) {
    const auto reader = makeRow(Dtype::F32, std::vector<float>{1});
    EXPECT_FALSE(makeCpuBackend()->compute(reader, {.bins = 0}, {}));
    EXPECT_FALSE(makeCpuBackend()->compute(reader, {.bins = 65'537}, {}));
    const auto wide = makeReader(Dtype::F32, *Shape::make({16'000'001, 0}), std::vector<float>{});
    EXPECT_FALSE(makeCpuBackend()->compute(wide, {.channels = Axis::Row}, {}));
    EXPECT_TRUE(makeCpuBackend()->compute(wide, {.channels = Axis::Column}, {}));
}

} // namespace
} // namespace wb::stats
