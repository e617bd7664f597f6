// SPDX-License-Identifier: MIT
#include "core/formats/tensorflow/tensor_proto.h"

#include "core/base/checked.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <array>

namespace wb::tensorflow {
namespace {

using proto::Message;
using proto::Wire;

struct DataTypeRow {
    Dtype dtype;
    const char* name;
};

// DataType, by its number.
constexpr std::array<DataTypeRow, 31> types = {{{Dtype::Unknown, "INVALID"},
                                                {Dtype::F32, ""},
                                                {Dtype::F64, ""},
                                                {Dtype::I32, ""},
                                                {Dtype::U8, ""},
                                                {Dtype::I16, ""},
                                                {Dtype::I8, ""},
                                                {Dtype::Unknown, "STRING"},
                                                {Dtype::C64, ""},
                                                {Dtype::I64, ""},
                                                {Dtype::Bool, ""},
                                                {Dtype::I8, ""},  // qint8
                                                {Dtype::U8, ""},  // quint8
                                                {Dtype::I32, ""}, // qint32
                                                {Dtype::BF16, ""},
                                                {Dtype::I16, ""}, // qint16
                                                {Dtype::U16, ""}, // quint16
                                                {Dtype::U16, ""},
                                                {Dtype::C128, ""},
                                                {Dtype::F16, ""},
                                                {Dtype::Unknown, "RESOURCE"},
                                                {Dtype::Unknown, "VARIANT"},
                                                {Dtype::U32, ""},
                                                {Dtype::U64, ""},
                                                {Dtype::F8_E5M2, ""},
                                                {Dtype::F8_E4M3, ""},
                                                {Dtype::F8_E4M3FNUZ, ""},
                                                {Dtype::Unknown, "F8_E4M3B11FNUZ"},
                                                {Dtype::F8_E5M2FNUZ, ""},
                                                {Dtype::I4, ""},
                                                {Dtype::U4, ""}}};

void appendNumber(std::vector<std::byte>& bytes, std::uint64_t value, std::uint64_t width) {
    for (std::uint64_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(value >> 8 * i & 0xFF));
}

// The elements that a message gives: narrowed to the type's width.
std::vector<std::byte> narrowed(const ProtoTensor& proto, std::uint64_t width) {
    if (!proto.isNumbers) return proto.values;
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 8 <= proto.values.size(); i += 8)
        bytes.insert(bytes.end(), proto.values.begin() + static_cast<std::ptrdiff_t>(i),
                     proto.values.begin() + static_cast<std::ptrdiff_t>(i + std::min<std::uint64_t>(width, 8)));
    return bytes;
}

class Maker {
public:
    Maker(TensorInfo& tensor, const ValuePlace& place, formats::Index& index, formats::Findings& findings)
        : m_tensor(tensor), m_place(place), m_index(index), m_findings(findings) {}

    void place(const ProtoTensor& proto) {
        const std::uint64_t width = info(m_tensor.dtype).blockBytes;
        const auto bytes = checked::mul(m_tensor.shape.elements(), width);
        if (!bytes) return unavailable("its shape is invalid");
        if (*bytes == 0) return copy({});
        if (proto.content && proto.content->length() == *bytes) return placeContent(*proto.content);
        std::vector<std::byte> given = narrowed(proto, width);
        if (proto.content && proto.content->length() != 0) {
            if (proto.content->length() > *bytes || proto.content->length() % width != 0)
                return unavailable("their count does not match the shape");
            given.resize(proto.content->length());
            if (!m_place.source.readAt(proto.content->offset(), given)) return unavailable(WB_TEXT("they cannot be read"));
        }
        if (given.size() % width != 0 || given.size() > *bytes) return unavailable("their count does not match the shape");
        if (given.size() == *bytes) return copy(given);
        if (given.size() <= width) return repeatOne(given, width);
        constexpr std::uint64_t maxExpanded = 16 << 20;
        if (*bytes > maxExpanded) return unavailable(WB_TEXT("they repeat one value too often"));
        const std::vector<std::byte> last(given.end() - static_cast<std::ptrdiff_t>(width), given.end());
        while (given.size() < *bytes) given.insert(given.end(), last.begin(), last.end());
        copy(given);
    }

    void unavailable(const char* why) {
        m_findings.add(Severity::Error, "tensorflow.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                       formats::shown(m_tensor.name), why);
        m_tensor.source.makeUnavailable(Reason("tensorflow.values"), why);
    }

private:
    void copy(std::span<const std::byte> bytes) {
        if (auto source = m_index.copy(bytes)) m_tensor.source = std::move(*source);
        else unavailable("too much data would have to be copied from the file");
    }

    void placeContent(const io::Extent& content) {
        if (m_place.file) {
            m_tensor.source = TensorSource::stored(*m_place.file, content.offset(), content.length());
            return;
        }
        std::vector<std::byte> bytes(content.length());
        if (m_place.source.readAt(content.offset(), bytes)) copy(bytes);
        else unavailable(WB_TEXT("they cannot be read"));
    }

    // One value for all elements, zero if none exists: kept once.
    void repeatOne(std::vector<std::byte> value, std::uint64_t width) {
        value.resize(width);
        copy(value);
        if (m_tensor.source.form() != TensorSource::Form::Stored) return;
        const TensorPlace place = m_tensor.source.place();
        if (m_tensor.shape.elements() == 1) return;
        m_tensor.source =
            TensorSource::strided(place.file, *place.offset, std::vector<std::uint64_t>(m_tensor.shape.rank(), 0), width);
        auto details = std::make_shared<TensorDetails>();
        details->notes.push_back(fragmentText(fragment::oneValue));
        m_tensor.details = std::move(details);
    }

    TensorInfo& m_tensor;
    const ValuePlace& m_place;
    formats::Index& m_index;
    formats::Findings& m_findings;
};

} // namespace

ElementType elementTypeFromNumber(std::uint64_t number) {
    constexpr std::uint64_t reference = 100;
    if (number > reference) number -= reference;
    if (number >= types.size()) return {Dtype::Unknown, fmt::format("type {}", number)};
    return {types[number].dtype, types[number].name};
}

Result<std::optional<Shape>> readShape(Message message) {
    std::vector<std::uint64_t> sides;
    bool isKnown = true;
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) break;
        if (message.is(2, Wire::Bytes)) {
            WB_TRY_ASSIGN(Message dimension, message.message());
            std::uint64_t side = 0;
            while (true) {
                WB_TRY_ASSIGN(const bool moreOfIt, dimension.next());
                if (!moreOfIt) break;
                if (dimension.is(1, Wire::Varint)) side = dimension.number();
            }
            if (sides.size() >= Shape::maximumRank) isKnown = false;
            else sides.push_back(side);
        } else if (message.is(3, Wire::Varint) && message.number() != 0) {
            isKnown = false;
        }
    }
    if (!isKnown) return std::optional<Shape>();
    return Shape::make(sides); // a side of -1 is a number that no shape has
}

Result<ProtoTensor> readTensorProto(Message message, const io::ByteSource& source, std::uint64_t maxBytes) {
    ProtoTensor out;
    const auto take = [&](Wire packed, std::uint64_t width) -> Result<void> {
        std::vector<std::uint64_t> numbers;
        WB_TRY(message.appendNumbers(numbers, packed, maxBytes / 8));
        out.isNumbers = width == 0;
        out.valueBytes = width == 0 ? 8 : width;
        if (out.values.size() > maxBytes)
            return fail(ErrorCode::TooLarge, Reason("tensorflow.values"), About{source.name()},
                        WB_TEXT("{} lists more values in one tensor than Weighbridge can copy."), source.name());
        for (const std::uint64_t number : numbers) appendNumber(out.values, number, out.valueBytes);
        return {};
    };
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return out;
        switch (message.field()) {
        case 1: out.type = message.number(); break;
        case 2: {
            WB_TRY_ASSIGN(const Message shape, message.message());
            WB_TRY_ASSIGN(out.shape, readShape(shape));
            break;
        }
        case 4:
        case 18:
            if (message.wire() == Wire::Bytes) out.content = io::Extent::make(source.size(), message.begin(), message.length());
            break;
        case 5:
        case 9: WB_TRY(take(Wire::Fixed32, 4)); break;
        case 6:
        case 12: WB_TRY(take(Wire::Fixed64, 8)); break;
        case 7:
        case 10:
        case 11:
        case 13:
        case 16:
        case 17: WB_TRY(take(Wire::Varint, 0)); break;
        default: break;
        }
    }
}

TensorInfo makeTensor(std::string name, const ProtoTensor& proto, const ValuePlace& place, formats::Index& index,
                      formats::Findings& findings) {
    TensorInfo tensor;
    tensor.name = std::move(name);
    const ElementType type = elementTypeFromNumber(proto.type);
    tensor.dtype = type.dtype;
    tensor.typeText = type.text;
    if (proto.shape) tensor.shape = *proto.shape;
    tensor.source = TensorSource::stored(place.file.value_or(0), 0, 0);
    Maker maker(tensor, place, index, findings);
    if (!proto.shape) maker.unavailable("its shape is invalid");
    else if (tensor.dtype != Dtype::Unknown) maker.place(proto);
    return tensor;
}

} // namespace wb::tensorflow
