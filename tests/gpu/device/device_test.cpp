// SPDX-License-Identifier: MIT
#include "gpu/device/arena.h"
#include "gpu/device/open.h"
#include "gpu/device/recorder.h"
#include "gpu/shaders/self_test.spv.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

#include <algorithm>
#include <fstream>
#include <future>
#include <numeric>
#include <thread>

namespace wb::gpu {
namespace {

class DeviceTest : public test::GpuTest {
protected:
    // Sends words there and back through device memory.
    Result<std::vector<std::uint32_t>> roundTrip(const std::vector<std::uint32_t>& words) {
        const std::uint64_t bytes = words.size() * 4;
        WB_TRY_ASSIGN(const BufferPtr up, device->buffer(bytes, Memory::Upload));
        WB_TRY_ASSIGN(const BufferPtr middle, device->buffer(bytes, Memory::Device));
        WB_TRY_ASSIGN(const BufferPtr down, device->buffer(bytes, Memory::Readback));
        std::ranges::copy(words, up->map<std::uint32_t>().begin());
        Recorder recorder(device);
        recorder.copy(up->view(0, bytes), middle->view(0, bytes));
        recorder.copy(middle->view(0, bytes), down->view(0, bytes));
        WB_TRY_ASSIGN(const Ticket ticket, device->submit(std::move(recorder)));
        WB_TRY(ticket.wait());
        const auto mapped = down->map<std::uint32_t>();
        return std::vector<std::uint32_t>(mapped.begin(), mapped.begin() + static_cast<std::ptrdiff_t>(words.size()));
    }
};

TEST_F(DeviceTest, IsListedWithWhatTheWindowShows) {
    const auto all = devices();
    ASSERT_TRUE(all);
    ASSERT_FALSE(all->empty());
    for (std::size_t at = 0; at < all->size(); ++at) {
        EXPECT_EQ((*all)[at].index, at + 1);
        EXPECT_FALSE((*all)[at].name.empty());
        EXPECT_FALSE((*all)[at].driver.empty());
        EXPECT_LE((*all)[at].viewBytes, maxViewBytes);
    }
    EXPECT_TRUE(std::ranges::is_sorted(*all, {}, &DeviceInfo::kind)) << "real GPUs come before software";
}

TEST_F(DeviceTest, PassesItsSelfTest) {
    const auto outcome = device->selfTest();
    EXPECT_TRUE(outcome) << outcome.error().message();
}

TEST_F(DeviceTest, ComputesWithEveryFeatureItClaims) {
    for (const Feature feature : allFeatures) {
        const bool claimed = std::ranges::find(device->info().faster, feature) != device->info().faster.end();
        EXPECT_EQ(device->offers(feature), claimed) << featureName(feature);
        const auto& names = device->info().features;
        EXPECT_EQ(std::ranges::find(names, featureName(feature)) != names.end(), claimed) << featureName(feature);
        EXPECT_TRUE(!claimed || isBuilt(feature)) << featureName(feature);
    }
}

TEST_F(DeviceTest, CarriesBytesThereAndBack) {
    std::vector<std::uint32_t> words(100'000);
    std::iota(words.begin(), words.end(), 7u);
    const auto back = roundTrip(words);
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, words);
}

TEST_F(DeviceTest, IsSharedByThoseWhoOpenIt) {
    const auto again = test::testDevice();
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, device);
    const auto byId = openId(device->info().id);
    ASSERT_TRUE(byId);
    EXPECT_EQ(*byId, device);
}

TEST_F(DeviceTest, RefusesANumberThatIsNotThere) {
    const auto none = openAt(999);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message().find("999"), std::string::npos);
}

TEST_F(DeviceTest, SaysThatAChosenOneIsGone) {
    const auto none = openId("gone");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_NE(none.error().message().find("selected GPU is not available"), std::string::npos) << "there are others";
}

Instance::Found listed(const char* name, DeviceKind kind, const char* lacks) {
    DeviceInfo info;
    info.name = name;
    info.kind = kind;
    info.usable = *lacks == '\0';
    info.lacks = lacks;
    return {VK_NULL_HANDLE, info};
}

TEST(DeviceChoice, SaysWhatTheOnlyRealDeviceLacks) {
    const std::vector<Instance::Found> devices = {listed("old", DeviceKind::Discrete, "32 KiB of shared memory"),
                                                  listed("integrated", DeviceKind::Integrated, ""),
                                                  listed("cpu", DeviceKind::Software, "")};
    const auto chosen = [](std::span<const Instance::Found> among, DeviceFilter kind) {
        const auto* found = bestDevice(among, kind);
        return found ? found->info.name : std::string();
    };
    const std::span all(devices);
    EXPECT_EQ(chosen(all, DeviceFilter::Hardware), "integrated");
    EXPECT_EQ(chosen(all.first(1), DeviceFilter::Hardware), "old") << "opening it says what it lacks";
    EXPECT_EQ(chosen(all.first(1), DeviceFilter::All), "old");
    EXPECT_EQ(chosen(all.last(1), DeviceFilter::Hardware), "");
    EXPECT_EQ(chosen(all.last(1), DeviceFilter::All), "cpu");
}

TEST_F(DeviceTest, TakesWorkFromManyThreads) {
    std::vector<std::jthread> threads;
    std::atomic<int> good = 0;
    for (std::uint32_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::uint32_t round = 0; round < 20; ++round) {
                const std::vector<std::uint32_t> words(256, thread * 1000 + round);
                const auto back = roundTrip(words);
                if (back && *back == words) ++good;
            }
        });
    }
    threads.clear();
    EXPECT_EQ(good, 80);
}

// A recording counts its replays: each adds to what the one before left.
TEST_F(DeviceTest, ReplaysWhatWasRecordedOnce) {
    const auto numbers = device->buffer(256, Memory::Device), sums = device->buffer(512, Memory::Device);
    const auto upload = device->buffer(256, Memory::Upload), back = device->buffer(512, Memory::Readback);
    ASSERT_TRUE(numbers && sums && upload && back);
    Recorder recorder(device, Replay::Yes);
    recorder.copy((*sums)->view(0, 256), (*sums)->view(256, 256)); // of the replay before
    recorder.copy((*upload)->view(), (*sums)->view(0, 256));
    recorder.copy((*sums)->view(), (*back)->view());
    const auto recording = recorder.finish();
    ASSERT_TRUE(recording);
    for (std::uint32_t round = 1; round < 600; ++round) { // more than there are words of completions
        (*upload)->map<std::uint32_t>()[7] = round;
        const auto ticket = device->submit(*recording);
        ASSERT_TRUE(ticket && ticket->wait());
        ASSERT_EQ((*back)->map<std::uint32_t>()[7], round);
        const std::uint32_t before = round > 1 ? round - 1 : (*back)->map<std::uint32_t>()[64 + 7]; // undefined at first
        ASSERT_EQ((*back)->map<std::uint32_t>()[64 + 7], before);
    }
}

TEST_F(DeviceTest, LosesAReplayThatWasReportedAndNotDone) {
    const auto buffer = device->buffer(256, Memory::Readback);
    ASSERT_TRUE(buffer);
    Recorder recorder(device, Replay::Yes);
    recorder.fill((*buffer)->view(), 3);
    const auto recording = recorder.finish();
    ASSERT_TRUE(recording);
    test::injectFault(*device, test::Fault::Reset, 1);
    const auto good = device->submit(*recording);
    ASSERT_TRUE(good && good->wait());
    const auto lost = device->submit(*recording);
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->wait().error().code, ErrorCode::DeviceLost);
    EXPECT_TRUE(device->lost());
}

TEST_F(DeviceTest, HandsOutPartsOfLargeBuffers) {
    Arena arena(device, Memory::Device);
    const auto first = arena.take(100), second = arena.take(1000), large = arena.take(Arena::chunkBytes + 1);
    ASSERT_TRUE(first && second && large);
    EXPECT_EQ(first->buffer, second->buffer);
    EXPECT_EQ(second->offset, 256u);
    EXPECT_NE(large->buffer, first->buffer);
    EXPECT_GT(device->freeMemory(), 0u);
}

TEST_F(DeviceTest, FillsOnlyTheViewItIsGiven) {
    const auto buffer = device->buffer(1024, Memory::Readback);
    ASSERT_TRUE(buffer);
    Recorder recorder(device);
    recorder.fill((*buffer)->view(), 1);
    recorder.fill((*buffer)->view(256, 256), 2);
    const auto ticket = device->submit(std::move(recorder));
    ASSERT_TRUE(ticket && ticket->wait());
    const auto words = (*buffer)->map<std::uint32_t>();
    EXPECT_EQ(words[63], 1u);
    EXPECT_EQ(words[64], 2u);
    EXPECT_EQ(words[127], 2u);
    EXPECT_EQ(words[128], 1u);
}

TEST_F(DeviceTest, RefusesAKernelWithTheWrongBuffers) {
    const auto kernel = device->kernel({"self_test", shaders::self_test, 2, 4});
    const auto buffer = device->buffer(1024, Memory::Device);
    ASSERT_TRUE(kernel && buffer);
    Recorder recorder(device);
    recorder.dispatch(*kernel, {reads((*buffer)->view())}, 1u, {1});
    const auto ticket = device->submit(std::move(recorder));
    ASSERT_FALSE(ticket);
    EXPECT_EQ(ticket.error().code, ErrorCode::Internal);
}

TEST_F(DeviceTest, CompilesAKernelOnce) {
    const KernelCode code{"self_test", shaders::self_test, 2, 4};
    const auto first = device->kernel(code);
    const auto second = device->kernel(code);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(*first, *second);
}

TEST_F(DeviceTest, KeepsCompiledPipelinesAndForgivesADamagedFile) {
    const test::TemporaryFolder folder;
    const auto kept = folder.path() / "pipelines"; // is made when it is needed
    setUp({kept});
    const auto useOnce = [this] {
        device.reset();
        auto opened = test::testDevice();
        ASSERT_TRUE(opened);
        device = std::move(*opened);
        EXPECT_TRUE(device->selfTest());
        device.reset();
    };
    useOnce();
    ASSERT_FALSE(std::filesystem::is_empty(kept));
    const auto file = std::filesystem::directory_iterator(kept)->path();
    EXPECT_GT(test::readFile(file).size(), 32u);
    std::ofstream(file, std::ios::binary | std::ios::in).seekp(40) << "damage";
    useOnce();
    EXPECT_NE(test::readFile(file).size(), 0u);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << "short";
    useOnce();
    EXPECT_GT(test::readFile(file).size(), 32u);
    setUp({});
    test::expectSilentValidation();
}

TEST_F(DeviceTest, OnceLostStaysLostAndIsOpenedAnew) {
    test::injectFault(*device, test::Fault::Lost, 1);
    EXPECT_TRUE(roundTrip({1, 2, 3, 4}));
    const auto lost = roundTrip({1, 2, 3, 4});
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::DeviceLost);
    EXPECT_TRUE(device->lost());
    EXPECT_FALSE(device->buffer(16, Memory::Device));
    const auto anew = test::testDevice();
    ASSERT_TRUE(anew);
    EXPECT_NE(*anew, device);
    device = *anew;
    EXPECT_TRUE(roundTrip({1, 2, 3, 4}));
}

} // namespace
} // namespace wb::gpu
