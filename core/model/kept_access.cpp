// SPDX-License-Identifier: MIT
#include "core/model/element_access.h"

#include "core/tensor/dtype.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace wb {
namespace {

constexpr std::uint64_t chunkElements = std::uint64_t{1} << 18; // a multiple of every block

// Each chunk of the tensor is read when it is first asked for, and then stays in memory.
class KeptAccess final : public ElementAccess {
public:
    explicit KeptAccess(TensorReader reader)
        : m_reader(std::move(reader)), m_chunks(m_reader.elements() / chunkElements + (m_reader.elements() % chunkElements != 0)) {}

    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        for (std::uint64_t done = 0; done < count;) {
            const std::uint64_t at = first + done, index = at / chunkElements, inside = at % chunkElements;
            const std::uint64_t part = std::min(count - done, chunkElements - inside);
            WB_TRY_ASSIGN(const std::span<const std::byte> bytes, chunk(index));
            std::memcpy(out.data() + m_reader.byteCount(done), bytes.data() + m_reader.byteCount(inside), m_reader.byteCount(part));
            done += part;
        }
        return {};
    }

    Result<void> checkUnchanged() const override { return m_reader.checkUnchanged(); }

private:
    struct Chunk {
        std::mutex mutex;
        std::vector<std::byte> bytes; // empty: not supported yet
    };

    Result<std::span<const std::byte>> chunk(std::uint64_t index) const {
        Chunk& kept = m_chunks[index];
        const std::lock_guard lock(kept.mutex);
        if (kept.bytes.empty()) {
            const std::uint64_t first = index * chunkElements, count = std::min(chunkElements, m_reader.elements() - first);
            std::vector<std::byte> bytes(m_reader.byteCount(count));
            WB_TRY(m_reader.readRaw(first, count, bytes));
            kept.bytes = std::move(bytes);
        }
        return std::span<const std::byte>(kept.bytes);
    }

    TensorReader m_reader;
    mutable std::vector<Chunk> m_chunks;
};

} // namespace

ElementAccessPtr openKept(TensorReader reader) { return std::make_shared<KeptAccess>(std::move(reader)); }

} // namespace wb
