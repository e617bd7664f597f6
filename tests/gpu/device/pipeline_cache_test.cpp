// SPDX-License-Identifier: MIT
#include "gpu/device/pipeline_cache.h"

#include "core/io/digests/sha256.h"

#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

#include <cstring>
#include <fstream>

namespace wb::gpu {
namespace {

class PipelineCacheTest : public test::GpuTest {
protected:
    std::filesystem::path file() const { return pipelineFile(*device, folder.path()); }
    std::vector<std::byte> read() const { return readPipelines(*device, folder.path()); }

    void write(std::span<const std::byte> bytes) const {
        std::ofstream out(file(), std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    // As an attacker would write it: the check value is right.
    void writeWithDigest(std::span<const std::byte> bytes) const {
        io::Sha256 sum;
        sum.update(bytes);
        const auto digest = sum.finish();
        ASSERT_TRUE(digest);
        std::vector<std::byte> whole(digest->begin(), digest->end());
        whole.insert(whole.end(), bytes.begin(), bytes.end());
        write(whole);
    }
    // A driver must not get it, and the device must work all the same.
    void expectIgnored(const char* why) {
        EXPECT_TRUE(read().empty()) << why;
        const VkPipelineCache cache = loadPipelineCache(*device, folder.path());
        EXPECT_NE(cache, VK_NULL_HANDLE) << why;
        device->vk().vkDestroyPipelineCache(device->handle(), cache, nullptr);
    }

    test::TemporaryFolder folder;
};

TEST_F(PipelineCacheTest, KeepsOneFileInAFolderThatItMakes) {
    const auto inner = folder.path() / "some/where";
    savePipelineCache(*device, inner);
    EXPECT_FALSE(readPipelines(*device, inner).empty());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(inner), {}), 1);
}

TEST_F(PipelineCacheTest, LeavesAFileThatHoldsAllItKnows) {
    savePipelineCache(*device, folder.path());
    const auto longAgo = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    std::filesystem::last_write_time(file(), longAgo);
    savePipelineCache(*device, folder.path());
    EXPECT_LT(std::filesystem::last_write_time(file()), longAgo + std::chrono::minutes(1));
}

TEST_F(PipelineCacheTest, BelievesNoFileThatIsNotItsOwn) {
    expectIgnored("missing");
    savePipelineCache(*device, folder.path());
    const std::vector<std::byte> good = read();
    ASSERT_GE(good.size(), sizeof(VkPipelineCacheHeaderVersionOne));
    std::vector<std::byte> whole = test::readFile(file());

    whole.back() ^= std::byte{1};
    write(whole);
    expectIgnored("damaged");
    write(std::span(whole).first(20));
    expectIgnored("shorter than the check value");
    writeWithDigest({});
    expectIgnored("empty behind the check value");
    writeWithDigest(std::span(good).first(sizeof(VkPipelineCacheHeaderVersionOne) - 1));
    expectIgnored("the head is cut off");
    for (const std::size_t at :
         {std::size_t{3}, offsetof(VkPipelineCacheHeaderVersionOne, headerVersion),
          offsetof(VkPipelineCacheHeaderVersionOne, vendorID), offsetof(VkPipelineCacheHeaderVersionOne, deviceID),
          offsetof(VkPipelineCacheHeaderVersionOne, pipelineCacheUUID)}) {
        std::vector<std::byte> foreign = good;
        foreign[at] ^= std::byte{0x40};
        writeWithDigest(foreign);
        expectIgnored("another head");
    }
    std::vector<std::byte> large = good;
    large.resize(maxPipelineBytes + 1);
    writeWithDigest(large);
    expectIgnored("too large");

    savePipelineCache(*device, folder.path());
    EXPECT_EQ(read().size(), good.size()) << "a file that is not believed is replaced";
}

TEST_F(PipelineCacheTest, DoesWithoutAFolder) {
    const auto beneathAFile = folder.file("file", "") / "folder";
    savePipelineCache(*device, beneathAFile);
    EXPECT_TRUE(readPipelines(*device, beneathAFile).empty());
    savePipelineCache(*device, {});
    EXPECT_TRUE(readPipelines(*device, {}).empty());
}

} // namespace
} // namespace wb::gpu
