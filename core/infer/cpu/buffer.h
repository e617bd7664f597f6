// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wb::infer::cpu {

// Memory of fixed size for weights, caches and activations: aligned to 64 bytes, in huge pages where it is large and the system
// gives them. The content is undefined until it is written.
class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&&) = default;
    Buffer& operator=(Buffer&&) = default;

    // The Error is that of memory the system did not give.
    static Result<Buffer> make(std::uint64_t bytes);

    // What make() claims for this many bytes: whole cache lines, or whole pages of 4 KiB where the buffer is large.
    static std::uint64_t claimFor(std::uint64_t bytes);

    // `bytes` bytes from `offset` on, a multiple of 64. The memory lives as long as any of its parts.
    Buffer part(std::uint64_t offset, std::uint64_t bytes) const;

    std::byte* data() const { return m_data.get(); }
    std::uint64_t size() const { return m_size; }

    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(m_data.get());
    }

private:
    std::shared_ptr<std::byte> m_data;
    std::uint64_t m_size = 0;
};

} // namespace wb::infer::cpu
