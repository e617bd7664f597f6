// SPDX-License-Identifier: MIT
#include "gpu/device/pipeline_cache.h"

#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"
#include "core/io/digests/sha256.h"

#include <algorithm>
#include <cstring>

namespace wb::gpu {
namespace {

constexpr std::size_t digestBytes = std::tuple_size_v<io::Sha256Digest>;

VkPhysicalDeviceProperties deviceProperties(const Device& device) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device.physical(), &properties);
    return properties;
}

Result<io::Sha256Digest> bytesDigest(std::span<const std::byte> bytes) {
    io::Sha256 sum;
    sum.update(bytes);
    return sum.finish();
}

bool holdsDigest(std::span<const std::byte> file) {
    const auto digest = bytesDigest(file.subspan(digestBytes));
    return digest && std::ranges::equal(*digest, file.first(digestBytes));
}

// Vulkan's own head of such data. Not every driver looks at it before it believes the rest.
bool isMadeFor(const Device& device, std::span<const std::byte> bytes) {
    VkPipelineCacheHeaderVersionOne head;
    if (bytes.size() < sizeof head) return false;
    std::memcpy(&head, bytes.data(), sizeof head);
    const VkPhysicalDeviceProperties properties = deviceProperties(device);
    return head.headerSize >= sizeof head && head.headerSize <= bytes.size() &&
           head.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && head.vendorID == properties.vendorID &&
           head.deviceID == properties.deviceID && std::ranges::equal(head.pipelineCacheUUID, properties.pipelineCacheUUID);
}

VkPipelineCache deviceCache(Device& device, std::span<const std::byte> bytes) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = bytes.size();
    info.pInitialData = bytes.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    device.vk().vkCreatePipelineCache(device.handle(), &info, nullptr, &cache);
    return cache;
}

// Takes over what a program that ran meanwhile has written, which would be lost else.
void merge(Device& device, std::span<const std::byte> bytes) {
    const VkPipelineCache other = deviceCache(device, bytes);
    if (other == VK_NULL_HANDLE) return;
    device.vk().vkMergePipelineCaches(device.handle(), device.pipelineCache(), 1, &other);
    device.vk().vkDestroyPipelineCache(device.handle(), other, nullptr);
}

std::vector<std::byte> devicePipelines(Device& device) {
    std::size_t size = 0;
    device.vk().vkGetPipelineCacheData(device.handle(), device.pipelineCache(), &size, nullptr);
    std::vector<std::byte> bytes(size);
    if (device.vk().vkGetPipelineCacheData(device.handle(), device.pipelineCache(), &size, bytes.data()) != VK_SUCCESS) return {};
    bytes.resize(size);
    return bytes;
}

void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    const auto digest = bytesDigest(bytes);
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    auto writer = io::AtomicWriter::create(path);
    if (!digest || !writer) return;
    if (writer->write(*digest) && writer->write(bytes)) std::ignore = writer->commit();
}

} // namespace

std::filesystem::path pipelineFile(const Device& device, const std::filesystem::path& folder) {
    std::string name = "pipelines-";
    for (const std::uint8_t byte : deviceProperties(device).pipelineCacheUUID) name += fmt::format("{:02x}", byte);
    return folder / (name + ".bin");
}

std::vector<std::byte> readPipelines(const Device& device, const std::filesystem::path& folder) {
    if (folder.empty()) return {};
    const auto source = io::FileSource::open(pipelineFile(device, folder));
    if (!source || (*source)->size() < digestBytes || (*source)->size() > digestBytes + maxPipelineBytes) return {};
    std::vector<std::byte> bytes(static_cast<std::size_t>((*source)->size()));
    if (!(*source)->readAt(0, bytes) || !holdsDigest(bytes)) return {};
    bytes.erase(bytes.begin(), bytes.begin() + digestBytes);
    if (!isMadeFor(device, bytes)) return {};
    return bytes;
}

VkPipelineCache loadPipelineCache(Device& device, const std::filesystem::path& folder) {
    return deviceCache(device, readPipelines(device, folder));
}

void savePipelineCache(Device& device, const std::filesystem::path& folder) {
    if (folder.empty() || device.pipelineCache() == VK_NULL_HANDLE) return;
    const std::vector<std::byte> before = readPipelines(device, folder);
    if (!before.empty()) merge(device, before);
    const std::vector<std::byte> bytes = devicePipelines(device);
    // Pipelines of older versions pile up: where they are too many, the next start starts without any.
    std::error_code ignored;
    if (bytes.size() > maxPipelineBytes) std::filesystem::remove(pipelineFile(device, folder), ignored);
    // Drivers do not keep an order, but what knows no more than the file is not longer either.
    else if (bytes.size() != before.size()) write(pipelineFile(device, folder), bytes);
}

} // namespace wb::gpu
