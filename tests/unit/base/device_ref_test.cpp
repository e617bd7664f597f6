// SPDX-License-Identifier: MIT
#include "core/base/device_ref.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

using Kind = DeviceRef::Kind;

TEST(DeviceRef, ReadsTheTextsOfOptionsAndSettings) {
    EXPECT_EQ(deviceFromText(""), DeviceRef{});
    EXPECT_EQ(deviceFromText("auto"), DeviceRef{});
    EXPECT_EQ(deviceFromText("cpu"), DeviceRef{Kind::Processor});
    EXPECT_EQ(deviceFromText("gpu"), DeviceRef{Kind::Best});
    EXPECT_EQ(deviceFromText("gpu:0"), DeviceRef{Kind::Processor});
    EXPECT_EQ(deviceFromText("gpu:12"), (DeviceRef{Kind::Number, 12}));
    EXPECT_EQ(deviceFromText("8086-1234"), (DeviceRef{Kind::Id, 0, "8086-1234"}));
    for (const char* id : {"gpu:", "gpu:x", "gpu:1x", "gpu:-1", "gpu:1234", "GPU"})
        EXPECT_EQ(deviceFromText(id).kind, Kind::Id) << id;
}

TEST(DeviceRef, WritesWhatItReads) {
    for (const char* text : {"auto", "cpu", "gpu", "gpu:7", "8086-1234"}) EXPECT_EQ(deviceText(deviceFromText(text)), text);
}

} // namespace
} // namespace wb
