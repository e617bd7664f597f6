// SPDX-License-Identifier: MIT
#include "gpu/compute/choice.h"

#include <gtest/gtest.h>

namespace wb::gpu::compute {
namespace {

using Kind = DeviceRef::Kind;

TEST(Choice, OfTheProcessorOpensNothing) {
    const auto none = openTested({Kind::Processor});
    ASSERT_TRUE(none);
    EXPECT_EQ(*none, nullptr);
}

TEST(FallbackRemark, CarriesTheReasonOfTheError) {
    const Error lost = makeError(ErrorCode::DeviceLost, Reason("device.lost"), "The device {} is gone.", "X");
    const Problem remark = fallbackRemark({}, lost);
    EXPECT_STREQ(remark.code.id(), "device.lost");
    EXPECT_EQ(remark.severity, Severity::Warning);
    EXPECT_EQ(remark.message(), "The device X is gone.");
    EXPECT_STREQ(fallbackRemark({}, makeError(ErrorCode::Internal, Reason(), "Something else.")).code.id(), "device.failed");
}

TEST(FallbackRemark, IsANoteWhereNothingIsWrong) {
    const Error none = makeError(ErrorCode::NotFound, Reason("device.none"), "There is none.");
    EXPECT_EQ(fallbackRemark({Kind::Automatic}, none).severity, Severity::Note);
    EXPECT_EQ(fallbackRemark({Kind::Number, 7}, none).severity, Severity::Warning) << "somebody asked for it";
    const Error slower = makeError(ErrorCode::Unsupported, Reason("device.slower"), "It is slower.");
    EXPECT_EQ(fallbackRemark({Kind::Automatic}, slower).severity, Severity::Note);
}

TEST(IsOfDevice, IsAboutTheDeviceAndNotTheWork) {
    for (const ErrorCode code : {ErrorCode::DeviceLost, ErrorCode::TooLarge, ErrorCode::Internal, ErrorCode::Unsupported})
        EXPECT_TRUE(isOfDevice(makeError(code, "It failed.")));
    for (const ErrorCode code : {ErrorCode::Canceled, ErrorCode::NotReadable, ErrorCode::Changed, ErrorCode::Malformed})
        EXPECT_FALSE(isOfDevice(makeError(code, "It failed.")));
}

} // namespace
} // namespace wb::gpu::compute
