// SPDX-License-Identifier: MIT
#include "core/model/element_access.h"

namespace wb {
namespace {

class PackedAccess final : public ElementAccess {
public:
    PackedAccess(std::shared_ptr<io::ByteSource> source, io::Extent extent, Dtype dtype, std::uint64_t elements)
        : m_source(std::move(source)), m_extent(extent), m_elements(elements), m_bits(packedBits(dtype)) {}

    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        if (count == 0 || count > m_elements) return {};
        const std::uint64_t perByte = 8 / m_bits, begin = first / perByte;
        std::vector<std::byte> packed((first + count - 1) / perByte + 1 - begin);
        WB_TRY(m_source->readAt(m_extent.offset() + begin, packed));
        const auto mask = static_cast<std::byte>((1u << m_bits) - 1);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t at = first + i;
            out[i] = packed[at / perByte - begin] >> m_bits * (at % perByte) & mask;
        }
        return {};
    }

    Result<void> checkUnchanged() const override { return m_source->checkUnchanged(); }

private:
    std::shared_ptr<io::ByteSource> m_source;
    io::Extent m_extent;
    std::uint64_t m_elements;
    unsigned m_bits;
};

} // namespace

ElementAccessPtr openPacked(std::shared_ptr<io::ByteSource> source, io::Extent extent, Dtype dtype, std::uint64_t elements) {
    return std::make_shared<PackedAccess>(std::move(source), extent, dtype, elements);
}

} // namespace wb
