// SPDX-License-Identifier: MIT
#include "gpu/compute/speed_table.h"

#include <gtest/gtest.h>

namespace wb::gpu::compute {
namespace {

TEST(SpeedTable, TriesBothTwiceAndThenTakesTheFaster) {
    SpeedTable speeds;
    const auto next = [&](Dtype dtype) { return speeds.next(MeasuredTask::Statistics, dtype); };
    const auto add = [&](Worker worker, double seconds) { speeds.add(MeasuredTask::Statistics, Dtype::F32, worker, 10, seconds); };
    EXPECT_EQ(next(Dtype::F32), Worker::Device);
    add(Worker::Device, 10); // starting up
    EXPECT_EQ(next(Dtype::F32), Worker::Processor);
    add(Worker::Processor, 2);
    add(Worker::Device, 1);
    EXPECT_FALSE(speeds.find(MeasuredTask::Statistics, Dtype::F32));
    add(Worker::Processor, 2);
    const auto known = speeds.find(MeasuredTask::Statistics, Dtype::F32);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->device, 10);
    EXPECT_EQ(known->processor, 5);
    EXPECT_EQ(next(Dtype::F32), Worker::Device);
    EXPECT_EQ(next(Dtype::Q4_K), Worker::Device) << "another type was not tried yet";
    EXPECT_FALSE(speeds.find(MeasuredTask::Quantizing, Dtype::F32)) << "other work was not tried yet";
}

TEST(SpeedTable, LeavesWorkToTheProcessorWhereTheDeviceIsSlower) {
    SpeedTable speeds;
    for (int i = 0; i < 2; ++i) {
        speeds.add(MeasuredTask::Quantizing, Dtype::Q8_0, Worker::Device, 10, 3);
        speeds.add(MeasuredTask::Quantizing, Dtype::Q8_0, Worker::Processor, 10, 2);
    }
    EXPECT_EQ(speeds.next(MeasuredTask::Quantizing, Dtype::Q8_0), Worker::Processor);
}

} // namespace
} // namespace wb::gpu::compute
