// SPDX-License-Identifier: MIT
#include "core/stats/stats.h"
#include "made_tensor.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

namespace wb::stats {
namespace {

// From corpus/README.md of the reference data, "Golden statistics".
struct Golden {
    const char* file;
    std::uint64_t offset; // of the tensor's first byte
    Shape shape;
    double min, max, mean, std, rms, skew, kurtosis;
    std::uint64_t largest; // index of the largest magnitude
    double p1, p50, p99;
};

void expectGolden(const TensorStats& stats, const Golden& golden) {
    EXPECT_EQ(stats.min, Element(golden.min));
    EXPECT_EQ(stats.max, Element(golden.max));
    EXPECT_NEAR(*stats.mean, golden.mean, 1e-10 * golden.rms);
    EXPECT_NEAR(*stats.std, golden.std, 1e-10 * golden.std);
    EXPECT_NEAR(*stats.rms, golden.rms, 1e-10 * golden.rms);
    EXPECT_NEAR(*stats.skew, golden.skew, 1e-10 * std::abs(golden.skew));
    EXPECT_NEAR(*stats.kurtosis, golden.kurtosis, 1e-10 * std::abs(golden.kurtosis));
    EXPECT_EQ(stats.top[0].index, golden.largest);
    EXPECT_EQ((*stats.percentiles)[1], Element(golden.p1));
    EXPECT_EQ((*stats.percentiles)[4], Element(golden.p50));
    EXPECT_EQ((*stats.percentiles)[7], Element(golden.p99));
    EXPECT_EQ(stats.zeros + stats.nan + stats.inf, 0u);
}

void check(const Golden& golden) {
    SCOPED_TRACE(golden.file);
    const auto bytes = test::readFile(test::shared() / golden.file);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(golden.offset);
    const auto reader =
        test::makeReader(Dtype::F32, golden.shape, {begin, begin + static_cast<std::ptrdiff_t>(4 * golden.shape.elements())});
    expectGolden(makeCpuBackend()->compute(reader, {}, {}).value(), golden);
    expectGolden(computeScalar(reader, {}).value(), golden);
}

// Where a tensor of a safetensors file begins.
std::uint64_t safetensorsOffset(const char* file, const char* name) {
    const auto bytes = test::readFile(test::shared() / file);
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto* text = reinterpret_cast<const char*>(bytes.data()) + sizeof header;
    const auto json = nlohmann::json::parse(text, text + header);
    return sizeof header + header + json.at(name).at("data_offsets").at(0).get<std::uint64_t>();
}

TEST(Golden, AgreesWithTheReferenceOnStories) {
    const char* file = "corpus/llm/stories260K.gguf";
    WB_NEED_SHARED(file);
    check({file, 14'176, *Shape::make({512, 64}), -1.2033039331436157, 1.327228307723999, -0.0229604414265, 0.307938111451,
           0.308792911762, -0.0104236674616, 0.479331448393, 18'706, -0.7469520568847656, -0.01178990863263607,
           0.7530238032341003});
    check({file, 370'016, *Shape::make({64, 172}), -0.7088255286216736, 0.6472532153129578, 0.000219142150986, 0.124244933749,
           0.124245127009, 0.0273005038081, 1.0449005586, 3'488, -0.2927483320236206, -0.0010160228703171015, 0.3156462013721466});
    check({file, 1'003'616, *Shape::make({64, 64}), -1.029693365097046, 1.2529168128967285, 0.000534097952481, 0.170148802595,
           0.170149640861, 0.0488246499857, 4.32045498496, 3'491, -0.4731779098510742, -0.002546587958931923, 0.48951441049575806});
}

TEST(Golden, AgreesWithTheReferenceOnAHeavyTail) {
    const char* file = "corpus/silero_vad/silero_vad_16k.safetensors";
    WB_NEED_SHARED(file);
    check({file, safetensorsOffset(file, "conv4.weight"), *Shape::make({128, 64, 3}), -2.1366496086120605, 36.702232360839844,
           -0.000552458390379, 0.282679076257, 0.28267961611, 99.2310458646, 12046.9966303, 10'228, -0.259002685546875,
           -0.00037468294613063335, 0.20879746973514557});
}

TEST(Golden, AgreesWithTheReferenceOnMnist) {
    const char* file = "corpus/burn/mnist.safetensors";
    WB_NEED_SHARED(file);
    check({file, safetensorsOffset(file, "fc1.weight"), *Shape::make({32, 11'616}), -0.15306156873703003, 0.15336710214614868,
           -0.000902073180981, 0.0232011684017, 0.0232186983104, -0.0723513057694, 1.69329816593, 40'927, -0.06375604122877121,
           -0.0005235766875557601, 0.06048933416604996});
}

} // namespace
} // namespace wb::stats
