// SPDX-License-Identifier: MIT
#include "core/infer/cpu/buffer.h"

#include "core/base/checked.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace wb::infer::cpu {
namespace {

constexpr std::uint64_t hugePage = 2 << 20;
constexpr std::size_t cacheLine = 64, page = 4096;

bool isLarge(std::uint64_t bytes) { return bytes >= 2 * hugePage; }
std::size_t alignmentFor(std::uint64_t bytes) { return isLarge(bytes) ? page : cacheLine; }

} // namespace

std::uint64_t Buffer::claimFor(std::uint64_t bytes) { return checked::alignUp(bytes, alignmentFor(bytes)).value_or(bytes); }

Result<Buffer> Buffer::make(std::uint64_t bytes) {
    const auto alignment = std::align_val_t(alignmentFor(bytes));
    const auto rounded = checked::alignUp(bytes, alignmentFor(bytes));
    const auto size = rounded ? checked::narrow<std::size_t>(*rounded) : std::nullopt;
    if (!size) return std::unexpected(outOfMemory());
    auto* const data = static_cast<std::byte*>(::operator new[](*size, alignment, std::nothrow));
    if (data == nullptr && *size > 0) return std::unexpected(outOfMemory());
    Buffer buffer;
    buffer.m_data = {data, [alignment](std::byte* memory) { ::operator delete[](memory, alignment); }};
    buffer.m_size = bytes;
#ifdef __linux__
    // A request only, for the whole huge pages inside: a system without them continues with small ones.
    if (isLarge(bytes)) madvise(data, *size, MADV_HUGEPAGE);
#endif
    return buffer;
}

Buffer Buffer::part(std::uint64_t offset, std::uint64_t bytes) const {
    Buffer part;
    part.m_data = {m_data, m_data.get() + offset};
    part.m_size = bytes;
    return part;
}

} // namespace wb::infer::cpu
