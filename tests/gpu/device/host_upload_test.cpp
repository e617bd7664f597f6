// SPDX-License-Identifier: MIT
#include "gpu/device/host_upload.h"
#include "tests/gpu/support/gpu.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace wb::gpu {
namespace {

class GpuInlet : public test::GpuTest, public testing::WithParamInterface<HostUpload::Way> {
protected:
    // What kernels would see of the words.
    std::vector<std::uint32_t> through(const HostUpload& inlet, const std::vector<std::uint32_t>& words) {
        const std::uint64_t bytes = words.size() * sizeof(std::uint32_t);
        std::memcpy(inlet.map().data(), words.data(), bytes);
        const BufferPtr back = *device->buffer(bytes, Memory::Readback);
        Recorder recorder(device);
        recorder.copy(inlet.enter(recorder, bytes), back->view(0, bytes));
        const auto ticket = device->submit(std::move(recorder));
        EXPECT_TRUE(ticket && ticket->wait());
        const auto seen = back->map<std::uint32_t>().first(words.size());
        return {seen.begin(), seen.end()};
    }
};

TEST_P(GpuInlet, BringsWhatWasWritten) {
    const auto inlet = HostUpload::make(*device, 1 << 20, GetParam());
    ASSERT_TRUE(inlet) << inlet.error().message();
    std::vector<std::uint32_t> words(1 << 18);
    std::iota(words.begin(), words.end(), 17u);
    EXPECT_EQ(through(*inlet, words), words);
    std::ranges::reverse(words); // and again, with less
    words.resize(1000);
    EXPECT_EQ(through(*inlet, words), words);
    EXPECT_EQ(inlet->isDirect(), GetParam() == HostUpload::Way::Best && device->hasDirectMemory());
}

INSTANTIATE_TEST_SUITE_P(Ways, GpuInlet, testing::Values(HostUpload::Way::Best, HostUpload::Way::Copied));

} // namespace
} // namespace wb::gpu
