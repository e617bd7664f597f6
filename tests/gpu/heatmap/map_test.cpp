// SPDX-License-Identifier: MIT
#include "gpu/heatmap/map_builder.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/gpu.h"
#include "tests/gpu/support/sample.h"
#include "tests/unit/stats/compare_maps.h"
#include "tests/unit/stats/made_tensor.h"
#include "tests/unit/support/forms.h"
#include "tests/unit/support/support.h"

#include <algorithm>
#include <array>

namespace wb::gpu {
namespace {

using stats::Matrix;
using stats::TensorMap;

class GpuMap : public test::GpuTest {
protected:
    Result<TensorMap> onGpu(const TensorReader& reader, const Matrix& matrix, const Progress& progress = {}) {
        if (!canBuildMap({&reader}, matrix) || !fitsMapBand(device->info(), matrix))
            return stats::makeCpuMapBackend()->build({&reader}, matrix, progress); // as gpu/compute does
        return buildMap(device, reader, matrix, progress);
    }

    void expectLikeCpu(const TensorReader& reader, const Matrix& matrix) {
        const auto found = onGpu(reader, matrix);
        ASSERT_TRUE(found) << found.error().message() << " " << found.error().detail;
        EXPECT_FALSE(found->note) << found->note->message();
        test::expectSame(*found, *stats::makeCpuMapBackend()->build({&reader}, matrix, {}));
    }
};

TEST_F(GpuMap, AgreesWithTheCpuForEveryType) {
    for (const DtypeInfo& type : allDtypes()) {
        // The decoders are those of the statistics, whose tests take every type.
        static constexpr std::array usual{Dtype::F32,  Dtype::F64,  Dtype::BF16,   Dtype::I8,
                                          Dtype::Q4_0, Dtype::Q4_K, Dtype::IQ2_XS, Dtype::MXFP4};
        if (!test::runsAll() && std::ranges::find(usual, type.dtype) == usual.end()) continue;
        SCOPED_TRACE(type.name);
        const auto shape = *Shape::make({37, 512});
        const TensorReader reader = test::makeReader(type.dtype, shape, test::randomBytes(type.dtype, shape.elements(), 3));
        expectLikeCpu(reader, stats::sliceMatrix(shape, 0));
    }
}

TEST_F(GpuMap, AgreesOnOddSizesAndSlices) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 100'000}, {3000, 1}, {65, 131}, {8, 8}, {9, 70'001}, {700, 1024}}) {
        const auto shape = *Shape::make({2, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
        const TensorReader reader = test::makeReader(Dtype::F32, shape, test::randomBytes(Dtype::F32, shape.elements(), 4));
        expectLikeCpu(reader, {shape.elements() / 2, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
    }
}

TEST_F(GpuMap, DoesNotDependOnTheFormOfTheSource) {
    const test::TemporaryFolder folder;
    test::writeForms(folder.path());
    const ModelPtr model = test::openForms(folder.path());
    for (const char* form : test::readableForms) {
        SCOPED_TRACE(form);
        const TensorReader reader = TensorReader::open(*model, test::formTensor(*model, form)).value();
        expectLikeCpu(reader, stats::sliceMatrix(reader.shape(), 0));
    }
}

TEST_F(GpuMap, KnowsHugeAndTinyNumbers) {
    std::vector<float> values(64 * 64);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i % 128 < 64 ? 3e38F : 1e-37F) * (i % 3 == 0 ? -1.0F : 0.5F);
    const TensorReader reader = test::makeReader(Dtype::F32, *Shape::make({64, 64}), values);
    expectLikeCpu(reader, {0, 64, 64});
}

TEST_F(GpuMap, StopsWhenAsked) {
    const TensorReader reader = test::makeReader(Dtype::F32, *Shape::make({64, 64}), std::vector<float>(64 * 64, 1));
    std::stop_source stop;
    stop.request_stop();
    const auto map = onGpu(reader, {0, 64, 64}, {stop.get_token(), {}});
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, ErrorCode::Canceled);
}

TEST_F(GpuMap, SaysThatTheDeviceIsLost) {
    const TensorReader reader = test::makeReader(Dtype::BF16, *Shape::make({64, 64}), test::randomBytes(Dtype::BF16, 64 * 64, 6));
    test::injectFault(*device, test::Fault::Lost, 1);
    const auto map = onGpu(reader, {0, 64, 64});
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, ErrorCode::DeviceLost);
}

} // namespace
} // namespace wb::gpu
