// SPDX-License-Identifier: MIT
#include "core/formats/packed/decode_part.h"

#include "core/base/checked.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <array>

namespace wb::packed {
namespace {

// Codes of an encoding fill whole bytes in groups.
struct Grouping {
    std::uint64_t codes = 1;
    std::uint64_t bytes = 1;
};

std::optional<Grouping> grouping(const Part& part) {
    switch (part.encoding) {
    case Encoding::Plain: {
        const DtypeInfo& type = info(part.dtype);
        const bool isFine = canDecode(part.dtype) && type.blockBytes != 0 && packedBits(part.dtype) == 0;
        return isFine ? std::optional(Grouping{type.blockElements, type.blockBytes}) : std::nullopt;
    }
    case Encoding::Unsigned:
    case Encoding::Signed:
    case Encoding::HighFirst: return part.bits >= 1 && part.bits <= 8 ? std::optional(Grouping{8, part.bits}) : std::nullopt;
    case Encoding::OpenVinoU3: return Grouping{8, 3};
    case Encoding::OpenVinoU6: return Grouping{4, 3};
    case Encoding::NormalFloat4: return Grouping{2, 1};
    }
    return std::nullopt;
}

// bitsandbytes-foundation/bitsandbytes: bitsandbytes/functional.py, get_4bit_type("nf4").
constexpr std::array<float, 16> normalFloat4 = {-1.0f,
                                                -0.6961928009986877f,
                                                -0.5250730514526367f,
                                                -0.39491748809814453f,
                                                -0.28444138169288635f,
                                                -0.18477343022823334f,
                                                -0.09105003625154495f,
                                                0.0f,
                                                0.07958029955625534f,
                                                0.16093020141124725f,
                                                0.24611230194568634f,
                                                0.33791524171829224f,
                                                0.44070982933044434f,
                                                0.5626170039176941f,
                                                0.7229568362236023f,
                                                1.0f};

using Bytes = std::span<const std::byte>;

// Reading past the end gives zeros: the last group of a part may be incomplete.
unsigned byteAt(Bytes bytes, std::uint64_t at) { return at < bytes.size() ? std::to_integer<unsigned>(bytes[at]) : 0; }

unsigned lowFirst(Bytes bytes, std::uint64_t bit, unsigned width) {
    const unsigned pair = byteAt(bytes, bit / 8) | byteAt(bytes, bit / 8 + 1) << 8;
    return pair >> bit % 8 & ((1u << width) - 1);
}

unsigned highFirst(Bytes bytes, std::uint64_t bit, unsigned width) {
    const unsigned pair = byteAt(bytes, bit / 8) << 8 | byteAt(bytes, bit / 8 + 1);
    return pair >> (16 - bit % 8 - width) & ((1u << width) - 1);
}

// openvinotoolkit/openvino: src/core/include/openvino/core/type/element_iterator.hpp.
unsigned openVinoU3(Bytes bytes, std::uint64_t index) {
    const std::uint64_t group = index / 8 * 3, k = index % 8;
    const unsigned low = byteAt(bytes, group + k / 4) >> (6 - 2 * (k % 4)) & 3;
    return low | (byteAt(bytes, group + 2) >> (7 - k) & 1) << 2;
}

unsigned openVinoU6(Bytes bytes, std::uint64_t index) {
    const std::uint64_t group = index / 4 * 3, k = index % 4;
    const unsigned low = byteAt(bytes, group + k / 2) >> (k % 2 == 0 ? 4 : 0) & 15;
    return low | (byteAt(bytes, group + 2) >> (6 - 2 * k) & 3) << 4;
}

float codeValue(const Part& part, Bytes bytes, std::uint64_t index) {
    switch (part.encoding) {
    case Encoding::Unsigned: return static_cast<float>(lowFirst(bytes, index * part.bits, part.bits));
    case Encoding::Signed: {
        const auto code = static_cast<int>(lowFirst(bytes, index * part.bits, part.bits));
        return static_cast<float>(code >= 1 << (part.bits - 1) ? code - (1 << part.bits) : code);
    }
    case Encoding::HighFirst: return static_cast<float>(highFirst(bytes, index * part.bits, part.bits));
    case Encoding::OpenVinoU3: return static_cast<float>(openVinoU3(bytes, index));
    case Encoding::OpenVinoU6: return static_cast<float>(openVinoU6(bytes, index));
    case Encoding::NormalFloat4: return normalFloat4[lowFirst(bytes, index * 4, 4)];
    case Encoding::Plain: break;
    }
    return 0;
}

// Bytes `begin` to `begin + out.size()` of the part.
Result<void> readBytes(const io::ByteSource& file, const Part& part, std::uint64_t begin, std::span<std::byte> out) {
    if (part.inlined.empty()) return file.readAt(part.offset + begin, out);
    if (!io::Extent::make(part.inlined.size(), begin, out.size()))
        return fail(ErrorCode::Malformed, Reason("packed.inlined"), About{file.name()},
                    WB_TEXT("{}: a component of a compressed weight is shorter than its shape."), file.name());
    std::copy_n(part.inlined.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
    return {};
}

} // namespace

std::optional<std::uint64_t> partBytes(const Part& part, std::uint64_t elements) {
    const auto group = grouping(part);
    if (!group) return std::nullopt;
    const auto whole = checked::mul(elements / group->codes, group->bytes);
    const std::uint64_t rest = elements % group->codes;
    if (!whole || (part.encoding == Encoding::Plain && rest != 0)) return std::nullopt;
    const bool isStream = part.encoding != Encoding::OpenVinoU3 && part.encoding != Encoding::OpenVinoU6;
    const std::uint64_t last = isStream ? (rest * group->bytes + group->codes - 1) / group->codes : (rest == 0 ? 0 : group->bytes);
    return checked::add(*whole, last);
}

Result<void> decodePart(const io::ByteSource& file, const Part& part, std::uint64_t first, std::span<float> out) {
    if (out.empty()) return {};
    const auto group = grouping(part);
    const auto end = group ? partBytes(part, first + out.size()) : std::nullopt;
    const bool isPlain = part.encoding == Encoding::Plain;
    if (!end || (isPlain && first % group->codes != 0))
        return fail(ErrorCode::Malformed, Reason("packed.encoding"), About{file.name()},
                    WB_TEXT("{}: a component of a compressed weight has an unsupported type."), file.name());
    const std::uint64_t begin = first / group->codes * group->bytes;
    std::vector<std::byte> bytes(*end - begin);
    WB_TRY(readBytes(file, part, begin, bytes));
    if (isPlain) {
        decode(part.dtype, bytes, out);
        return {};
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = codeValue(part, bytes, first % group->codes + i);
    return {};
}

} // namespace wb::packed
