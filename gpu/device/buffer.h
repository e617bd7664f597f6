// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "gpu/device/vulkan.h"

#include <cstdint>
#include <memory>
#include <span>

namespace wb::gpu {

class Device;

// Where a buffer lies: in the device's own memory (the CPU cannot see it), in the CPU's for filling or for reading back, or in that
// part of the device's own that the CPU writes into (Device::hasDirectMemory).
enum class Memory : std::uint8_t { Device, Upload, Readback, Direct };

class Buffer;
using BufferPtr = std::shared_ptr<Buffer>;

// A part of a buffer, as kernels and copies are given it. Keeps the buffer alive. `offset` of a kernel's view is a multiple of 256,
// which every device accepts; bytes are a multiple of 4.
struct View {
    BufferPtr buffer;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

// Memory for kernels. Its size is rounded up to a multiple of 16 bytes; the content is undefined at first. Must not outlive its
// device by more than the views and tickets in flight do.
class Buffer : public std::enable_shared_from_this<Buffer> {
public:
    // TooLarge where the device has no memory left.
    static Result<std::shared_ptr<Buffer>> create(Device& device, std::uint64_t bytes, Memory memory);

    Buffer(Device& device, std::uint64_t bytes, Memory memory) : m_device(device), m_bytes(bytes), m_memory(memory) {}
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::uint64_t bytes() const { return m_bytes; }
    Memory memory() const { return m_memory; }

    View view() { return {shared_from_this(), 0, m_bytes}; }
    View view(std::uint64_t offset, std::uint64_t bytes) { return {shared_from_this(), offset, bytes}; }

    // The memory itself; empty for Device buffers. Upload and Direct: filled before submit, untouched until done, and never read by
    // the CPU, which is slow there.
    template <typename T>
    std::span<T> map() {
        return {static_cast<T*>(m_mapped), m_mapped == nullptr ? 0 : static_cast<std::size_t>(m_bytes / sizeof(T))};
    }

    VkBuffer handle() const { return m_buffer; }

private:
    Result<void> allocate();

    Device& m_device;
    std::uint64_t m_bytes;
    Memory m_memory;
    VkBuffer m_buffer = VK_NULL_HANDLE;
    VkDeviceMemory m_allocation = VK_NULL_HANDLE;
    void* m_mapped = nullptr;
};

} // namespace wb::gpu
