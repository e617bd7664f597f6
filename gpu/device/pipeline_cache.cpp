// SPDX-License-Identifier: MIT
#include "gpu/device/pipeline_cache.h"

#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"
#include "core/io/sha256.h"

namespace wb::gpu {
namespace {

constexpr std::size_t capBytes = 64u << 20;

std::filesystem::path fileOf(const Device& device, const std::filesystem::path& folder) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device.physical(), &properties);
    std::string name = "pipelines-";
    for (const std::uint8_t byte : properties.pipelineCacheUUID) name += fmt::format("{:02x}", byte);
    return folder / (name + ".bin");
}

Result<io::Sha256Digest> digestOf(std::span<const std::byte> bytes) {
    io::Sha256 sum;
    sum.update(bytes);
    return sum.finish();
}

// The file without its digest, or nothing where it is missing or damaged.
std::vector<std::byte> readChecked(const std::filesystem::path& path) {
    const auto source = io::FileSource::open(path);
    constexpr std::size_t digestBytes = std::tuple_size_v<io::Sha256Digest>;
    if (!source || (*source)->size() < digestBytes || (*source)->size() > capBytes) return {};
    std::vector<std::byte> bytes(static_cast<std::size_t>((*source)->size()));
    if (!(*source)->readAt(0, bytes)) return {};
    const auto digest = digestOf(std::span(bytes).subspan(digestBytes));
    if (!digest || !std::equal(digest->begin(), digest->end(), bytes.begin())) return {};
    bytes.erase(bytes.begin(), bytes.begin() + digestBytes);
    return bytes;
}

} // namespace

VkPipelineCache loadPipelineCache(Device& device, const std::filesystem::path& folder) {
    const std::vector<std::byte> bytes = folder.empty() ? std::vector<std::byte>() : readChecked(fileOf(device, folder));
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = bytes.size();
    info.pInitialData = bytes.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    device.vk().vkCreatePipelineCache(device.handle(), &info, nullptr, &cache);
    return cache;
}

void savePipelineCache(Device& device, const std::filesystem::path& folder) {
    if (folder.empty() || device.pipelineCache() == VK_NULL_HANDLE) return;
    std::size_t size = 0;
    device.vk().vkGetPipelineCacheData(device.handle(), device.pipelineCache(), &size, nullptr);
    std::vector<std::byte> bytes(size);
    if (size == 0 || size > capBytes) return;
    if (device.vk().vkGetPipelineCacheData(device.handle(), device.pipelineCache(), &size, bytes.data()) != VK_SUCCESS) return;
    bytes.resize(size);
    const auto digest = digestOf(bytes);
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    auto writer = io::AtomicWriter::create(fileOf(device, folder));
    if (!digest || !writer) return;
    if (writer->write(*digest) && writer->write(bytes)) std::ignore = writer->commit();
}

} // namespace wb::gpu
