// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace wb::infer::cpu {

struct AlignedDelete {
    std::size_t alignment = 64;
    void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t(alignment)); }
};

// Memory of fixed size for weights, caches and activations: aligned to 64 bytes, large ones to huge pages where the system gives
// them. The content is undefined until it is written.
class Buffer {
public:
    Buffer() = default;

    // The Error is that of memory the system did not give.
    static Result<Buffer> make(std::uint64_t bytes);

    // What make() claims for this many bytes: whole cache lines, or whole pages of 2 MiB where the buffer is large.
    static std::uint64_t claimFor(std::uint64_t bytes);
    std::uint64_t claim() const { return claimFor(m_size); }

    std::byte* data() const { return m_data.get(); }
    std::uint64_t size() const { return m_size; }

    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(m_data.get());
    }

private:
    std::unique_ptr<std::byte[], AlignedDelete> m_data;
    std::uint64_t m_size = 0;
};

} // namespace wb::infer::cpu
