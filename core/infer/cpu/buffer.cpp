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

bool isLarge(std::uint64_t bytes) { return bytes >= 2 * hugePage; }
std::size_t alignmentFor(std::uint64_t bytes) { return isLarge(bytes) ? hugePage : cacheLine; }

} // namespace

std::uint64_t Buffer::claimFor(std::uint64_t bytes) { return checked::alignUp(bytes, alignmentFor(bytes)).value_or(bytes); }

Result<Buffer> Buffer::make(std::uint64_t bytes) {
    const std::size_t alignment = alignmentFor(bytes);
    const auto rounded = checked::alignUp(bytes, alignment);
    const auto size = rounded ? checked::narrow<std::size_t>(*rounded) : std::nullopt;
    if (!size) return std::unexpected(outOfMemory());
    Buffer buffer;
    auto* const data = static_cast<std::byte*>(::operator new[](*size, std::align_val_t(alignment), std::nothrow));
    if (data == nullptr && *size > 0) return std::unexpected(outOfMemory());
    buffer.m_data = std::unique_ptr<std::byte[], AlignedDelete>(data, AlignedDelete{alignment});
    buffer.m_size = bytes;
#ifdef __linux__
    // A request only: a system without huge pages continues with small ones.
    if (isLarge(bytes)) madvise(data, *size, MADV_HUGEPAGE);
#endif
    return buffer;
}

} // namespace wb::infer::cpu
