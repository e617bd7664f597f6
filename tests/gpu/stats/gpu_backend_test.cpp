// SPDX-License-Identifier: MIT
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/stats/gpu_stats.h"
#include "tests/gpu/support/sample.h"
#include "tests/unit/support/support.h"

#include <limits>

// Every type, length and kind of value against the CPU.
namespace wb::gpu {
namespace {

using stats::Axis;
using stats::Options;
using test::makeReader;
using test::makeRow;

using GpuStats = test::GpuStatsTest;

std::vector<Dtype> typesOnGpu() {
    std::vector<Dtype> types;
    for (const DtypeInfo& type : allDtypes())
        if (runsOnGpu(type.dtype)) types.push_back(type.dtype);
    return types;
}

class EveryType : public GpuStats, public testing::WithParamInterface<Dtype> {};

TEST_P(EveryType, AgreesWithTheCpu) {
    const std::uint64_t block = info(GetParam()).blockElements;
    for (const std::uint64_t atLeast : {std::uint64_t{0}, block, 4096 + block, std::uint64_t{70'000}}) {
        const std::uint64_t elements = (atLeast + block - 1) / block * block;
        const auto reader = makeReader(GetParam(), *Shape::make({elements}), test::randomBytes(GetParam(), elements, 7));
        expectLikeCpu(reader, name(GetParam()) + std::string(" x ") + std::to_string(elements));
    }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, EveryType, testing::ValuesIn(typesOnGpu()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

// All rows as one tensor, and those with a character of their own alone: zeros, a constant, tiny and subnormal values, huge ones.
TEST_F(GpuStats, AgreeOnTheGoldenRows) {
    WB_NEED_SHARED("golden/quant");
    const auto folder = test::shared() / "golden/quant";
    const auto types =
        test::sample<const char*>({"f16", "bf16", "q4_0", "q3_K", "q4_K", "iq1_m", "iq2_xs", "iq4_xs", "tq1_0", "nvfp4"},
                                  {"q4_1", "q5_0", "q5_1", "q8_0", "q2_K", "q5_K", "q6_K", "iq1_s", "iq2_xxs", "iq2_s", "iq3_xxs",
                                   "iq3_s", "iq4_nl", "tq2_0", "mxfp4", "q1_0", "q2_0"});
    for (const char* const type : types) {
        const auto plain = folder / (std::string(type) + ".bin"); // three types exist only in the form that was made with weights
        const auto packed = std::filesystem::exists(plain) ? plain : folder / (std::string(type) + ".imatrix.bin");
        const auto bytes = test::readFile(packed);
        const Dtype dtype = *dtypeFromName(type);
        expectLikeCpu(makeReader(dtype, *Shape::make({32, 1024}), bytes), type);
        const std::size_t rowBytes = bytes.size() / 32;
        for (const std::size_t row : {16u, 18u, 22u, 23u, 24u}) {
            const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(row * rowBytes);
            const std::vector<std::byte> one(begin, begin + static_cast<std::ptrdiff_t>(rowBytes));
            expectLikeCpu(makeReader(dtype, *Shape::make({1024}), one), type + std::string(" row ") + std::to_string(row));
        }
    }
}

TEST_F(GpuStats, HandleEveryLengthAroundATile) {
    std::mt19937 random(3);
    for (const std::size_t n : {0u, 1u, 2u, 4095u, 4096u, 4097u, 8191u, 8193u}) {
        std::vector<float> values(n);
        for (float& value : values) value = std::normal_distribution<float>()(random);
        expectLikeCpu(makeRow(Dtype::F32, values), std::to_string(n));
    }
}

TEST_F(GpuStats, HandleValuesThatAreNotOrdinary) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
    const auto filled = [](auto valueAt) {
        std::vector<float> values(10'000);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = valueAt(i);
        return makeRow(Dtype::F32, values);
    };
    expectLikeCpu(filled([](auto) { return 0.1f; }), "constant");
    expectLikeCpu(filled([](auto i) { return i % 3 == 0 ? -1.0f : 2.0f; }), "two values");
    expectLikeCpu(filled([](auto i) { return i % 2 == 0 ? 0.0f : -0.0f; }), "zeros of both signs");
    expectLikeCpu(filled([&](auto) { return notANumber; }), "nothing but NaN");
    expectLikeCpu(filled([&](auto i) { return i == 5000 ? -infinity : 1.0f + static_cast<float>(i); }), "one infinity");
    expectLikeCpu(filled([&](auto i) { return i % 2 == 0 ? infinity : -notANumber; }), "nothing finite");
    expectLikeCpu(filled([](auto i) { return 1e-45f * static_cast<float>(i % 100); }), "subnormals");
    expectLikeCpu(filled([](auto i) { return (i % 2 == 0 ? 1e-38f : -2e-39f) * static_cast<float>(i % 100); }),
                  "around the least normal");
    expectLikeCpu(filled([](auto i) { return i % 2 == 0 ? 1e30f : -1e30f; }), "huge and alternating");
    expectLikeCpu(filled([](auto i) { return (i % 2 == 0 ? 3.4e38f : -3.4e38f) / static_cast<float>(1 + i % 5); }),
                  "at the end of f32");
    expectLikeCpu(filled([](auto i) { return static_cast<float>(i); }), "rising");
    expectLikeCpu(filled([](auto i) { return 1000.0f + static_cast<float>(i % 17) * 1e-3f; }), "far from zero");
    expectLikeCpu(filled([](auto i) { return i == 77 || i == 9999 ? 1000.0f : static_cast<float>(i % 7); }), "planted outliers");
}

TEST_F(GpuStats, CountAnyNumberOfBins) {
    const auto reader = makeReader(Dtype::F32, *Shape::make({100'000}), test::randomBytes(Dtype::F32, 100'000, 5));
    for (const std::uint32_t bins : {1u, 2u, 255u, 1024u, 1025u, 65'536u})
        expectLikeCpu(reader, std::to_string(bins), {.bins = bins});
}

// Of F32 more than two slabs on a software device; rows that are no whole number of tiles.
TEST_F(GpuStats, StreamMoreThanTwoSlabs) {
    const Shape shape = *Shape::make({1300, 1001});
    for (const Dtype dtype : {Dtype::F32, Dtype::BF16, Dtype::U8}) {
        const auto reader = makeReader(dtype, shape, test::randomBytes(dtype, shape.elements(), 17));
        expectLikeCpu(reader, name(dtype));
    }
}

// Rows that slabs cut, rows longer than a slab, short rows, one row, one column; NaN, infinities and huge values among them.
TEST_F(GpuStats, CountChannels) {
    struct Case {
        Dtype dtype;
        std::vector<std::uint64_t> dims;
    };
    const std::vector<Case> cases = {{Dtype::Q4_K, {300, 256}},   {Dtype::F32, {701, 1001}}, {Dtype::F16, {2, 700'000}},
                                     {Dtype::BF16, {40'000, 24}}, {Dtype::F32, {777}},       {Dtype::Q8_0, {3, 50, 64}},
                                     {Dtype::F32, {4, 3, 5, 7}}};
    for (const auto& [dtype, dims] : cases) {
        const Shape shape = *Shape::make(dims);
        const auto reader = makeReader(dtype, shape, test::randomBytes(dtype, shape.elements(), 13));
        for (const Axis axis : {Axis::Row, Axis::Column}) {
            const std::string what =
                fmt::format("{} of {} x {}, {}", name(dtype), dims.front(), dims.back(), axis == Axis::Row ? "rows" : "columns");
            expectLikeCpu(reader, what, {.channels = axis});
        }
    }
}

TEST_F(GpuStats, LeaveVeryManyShortChannelsToTheCpu) {
    const auto reader = makeReader(Dtype::U8, *Shape::make({600'000, 1}), test::randomBytes(Dtype::U8, 600'000, 3));
    const auto found = onGpu(reader, {.channels = Axis::Row});
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_TRUE(found->deviceNote);
    EXPECT_STREQ(found->deviceNote->code.id(), "device.channels");
    expectLikeCpu(reader, "short rows", {.channels = Axis::Row});
}

TEST_F(GpuStats, StopWhenAsked) {
    const auto reader = makeReader(Dtype::F32, *Shape::make({2'000'000}), std::vector<float>(2'000'000, 1));
    std::stop_source source;
    const Progress progress{source.get_token(), [&](std::uint64_t done, std::uint64_t) {
                                if (done != 0) source.request_stop();
                            }};
    const auto stopped = onGpu(reader, {}, progress);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
    expectLikeCpu(reader, "after a stop");
}

TEST_F(GpuStats, ReportProgressUpToTheWhole) {
    const auto reader = makeReader(Dtype::Q8_0, *Shape::make({1 << 20}), test::randomBytes(Dtype::Q8_0, 1 << 20, 2));
    std::uint64_t last = 0, total = 0;
    const Progress progress{{}, [&](std::uint64_t done, std::uint64_t all) {
                                EXPECT_GE(done, last);
                                last = done;
                                total = all;
                            }};
    ASSERT_TRUE(onGpu(reader, {}, progress));
    EXPECT_EQ(last, total);
    EXPECT_EQ(total, 2 * reader.byteCount(reader.elements()));
}

TEST_F(GpuStats, LeaveWideTypesToTheCpu) {
    for (const Dtype dtype : {Dtype::F64, Dtype::I32, Dtype::U64, Dtype::C64}) {
        const auto found = onGpu(makeReader(dtype, *Shape::make({8}), test::randomBytes(dtype, 8, 1)));
        ASSERT_FALSE(found) << name(dtype);
        EXPECT_EQ(found.error().code, ErrorCode::Unsupported);
    }
}

TEST_F(GpuStats, SayThatTheDeviceIsLost) {
    const auto reader = makeReader(Dtype::F32, *Shape::make({2'000'000}), std::vector<float>(2'000'000, 1));
    test::injectFault(*device, test::Fault::Lost, 4);
    const auto found = onGpu(reader);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::DeviceLost);
}

} // namespace
} // namespace wb::gpu
