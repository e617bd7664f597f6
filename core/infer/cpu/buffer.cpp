// SPDX-License-Identifier: MIT
#include "core/infer/cpu/buffer.h"

#include "core/base/checked.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace wb::infer::cpu {
namespace {

constexpr std::uint64_t hugePage = 2 << 20;
constexpr std::size_t cacheLine = 64;

} // namespace

Result<Buffer> Buffer::make(std::uint64_t bytes) {
    const bool large = bytes >= 2 * hugePage;
    const std::size_t alignment = large ? hugePage : cacheLine;
    const auto rounded = checked::alignUp(bytes, alignment);
    const auto size = rounded ? checked::narrow<std::size_t>(*rounded) : std::nullopt;
    if (!size) return std::unexpected(outOfMemory());
    Buffer buffer;
    auto* const data = static_cast<std::byte*>(::operator new[](*size, std::align_val_t(alignment), std::nothrow));
    if (data == nullptr && *size > 0) return std::unexpected(outOfMemory());
    buffer.m_data = std::unique_ptr<std::byte[], AlignedDelete>(data, AlignedDelete{alignment});
    buffer.m_size = bytes;
#ifdef __linux__
    // A request only: a system without huge pages goes on with small ones.
    if (large) madvise(data, *size, MADV_HUGEPAGE);
#endif
    return buffer;
}

} // namespace wb::infer::cpu
