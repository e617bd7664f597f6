// SPDX-License-Identifier: MIT
#include "gpu/decode/read_slab.h"

#include "core/jobs/thread_pool.h"

#include <algorithm>

namespace wb::gpu {
namespace {

constexpr unsigned readers = 8;                // as many as fill the bus of a card
constexpr std::uint64_t pieceBytes = 1u << 20; // at least: a thread takes longer for it than to be woken

} // namespace

Result<void> readSlab(const TensorReader& reader, std::uint64_t first, std::uint64_t count, std::span<std::byte> out,
                      const std::stop_token& stop) {
    const DtypeInfo& type = info(reader.dtype());
    const std::uint64_t blocks = count / type.blockElements;
    const std::uint64_t pieces = std::clamp<std::uint64_t>(reader.byteCount(count) / pieceBytes, 1, readers);
    return jobs::parallelFor(pieces, readers, stop, [&](std::uint64_t index) {
        const std::uint64_t begin = blocks * index / pieces, end = blocks * (index + 1) / pieces;
        const auto part = out.subspan(begin * type.blockBytes, (end - begin) * type.blockBytes);
        return reader.readRaw(first + begin * type.blockElements, (end - begin) * type.blockElements, part);
    });
}

} // namespace wb::gpu
