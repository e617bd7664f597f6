// SPDX-License-Identifier: MIT
#include "gpu/compute/maps.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/stats/compare_maps.h"
#include "tests/unit/stats/made_tensor.h"

namespace wb::gpu::compute {
namespace {

using Kind = DeviceRef::Kind;

TensorReader sampleReader(Dtype dtype) {
    return test::makeReader(dtype, *Shape::make({64, 64}), test::randomBytes(dtype, 64 * 64, 6));
}

void expectCpusMap(const stats::TensorMap& map, const TensorReader& reader) {
    test::expectSame(map, *stats::makeCpuMapBackend()->build({&reader}, {0, 64, 64}, {}));
}

TEST(Maps, NeedNoRemarkWhereNobodyAskedForADevice) {
    const auto open = [](const DeviceRef&) -> Result<DevicePtr> {
        return fail(ErrorCode::NotFound, Reason("test.failure"), "There is none.");
    };
    const TensorReader reader = sampleReader(Dtype::BF16);
    for (const auto& [kind, isTold] : {std::pair{Kind::Automatic, false}, {Kind::Best, true}}) {
        const ComputeDevice device({kind}, open);
        const auto map = makeMaps(device)->build({&reader}, {0, 64, 64}, {});
        ASSERT_TRUE(map) << map.error().message();
        EXPECT_EQ(map->note.has_value(), isTold);
        expectCpusMap(*map, reader);
    }
}

class MapsOnADevice : public test::GpuTest {};

TEST(Maps, LeaveWhatADeviceCannotBuildToTheProcessor) {
    const ComputeDevice device({Kind::Best}, [](const DeviceRef&) -> Result<DevicePtr> {
        ADD_FAILURE() << "opened";
        return nullptr;
    });
    const TensorReader wide = sampleReader(Dtype::F64);
    EXPECT_TRUE(makeMaps(device)->build({&wide}, {0, 64, 64}, {}));
}

TEST_F(MapsOnADevice, FallBackWhereItIsLost) {
    const ComputeDevice chosen = test::chosen(device);
    const TensorReader reader = sampleReader(Dtype::BF16);
    test::injectFault(*device, test::Fault::Lost, 1);
    const auto map = makeMaps(chosen)->build({&reader}, {0, 64, 64}, {});
    ASSERT_TRUE(map) << map.error().message();
    ASSERT_TRUE(map->note);
    EXPECT_STREQ(map->note->code.id(), "device.lost");
    expectCpusMap(*map, reader);
}

} // namespace
} // namespace wb::gpu::compute
