// SPDX-License-Identifier: MIT
#include "core/formats/npy/header.h"

#include "core/formats/npy/literal.h"
#include "core/tensor/bytes.h"

#include <algorithm>
#include <array>

namespace wb::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::unexpected<Error> malformed(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("npy.header"), About{name},
                WB_TEXT("{} starts like a NumPy array, but its header cannot be read."), name);
}

struct TypeName {
    std::string_view name; // descr without its byte order
    Dtype dtype;
};

constexpr std::array types = {
    TypeName{"b1", Dtype::Bool}, TypeName{"i1", Dtype::I8},    TypeName{"i2", Dtype::I16},  TypeName{"i4", Dtype::I32},
    TypeName{"i8", Dtype::I64},  TypeName{"u1", Dtype::U8},    TypeName{"u2", Dtype::U16},  TypeName{"u4", Dtype::U32},
    TypeName{"u8", Dtype::U64},  TypeName{"f2", Dtype::F16},   TypeName{"f4", Dtype::F32},  TypeName{"f8", Dtype::F64},
    TypeName{"c8", Dtype::C64},  TypeName{"c16", Dtype::C128}, TypeName{"V2", Dtype::BF16}, TypeName{"bfloat16", Dtype::BF16}};

// Whether a type is written as NumPy writes it: a kind other than objects and its bytes ("<f8", "|S5", "<M8[ns]"). Of other
// spellings, "object" among them, only NumPy knows what they are.
bool isPlainType(std::string_view name) {
    if (!name.empty() && std::string_view("<>|=").find(name[0]) != std::string_view::npos) name.remove_prefix(1);
    if (name == "bfloat16") return true;
    if (name.empty() || std::string_view("biufcSUVMmat?").find(name[0]) == std::string_view::npos) return false;
    const std::string_view rest = name.substr(1, name.find('[') - 1);
    return std::ranges::all_of(rest, [](char c) { return c >= '0' && c <= '9'; });
}

void readType(const std::string& descr, Header& header) {
    std::string_view name = descr;
    if (!name.empty() && std::string_view("<>|=").find(name[0]) != std::string_view::npos) {
        header.isBigEndian = name[0] == '>';
        name.remove_prefix(1);
    }
    for (const TypeName& type : types)
        if (type.name == name) header.dtype = type.dtype;
    header.isInterpreted = name == "V2";
    header.typeText = descr;
    header.holdsObjects = name.starts_with('O') || name == "object";
    header.isPlain = isPlainType(descr);
}

bool arePlain(const ValueArray& fields) {
    return std::ranges::all_of(fields.first, [](const Value& field) {
        const ValueArray* parts = field.array();
        if (!parts || parts->first.size() < 2) return false;
        const std::string* text = parts->first[1].string();
        const ValueArray* inner = parts->first[1].array();
        return text ? isPlainType(*text) : inner && arePlain(*inner);
    });
}

// A list of fields: (name, type) or (name, type, shape).
bool hasObjects(const ValueArray& fields) {
    for (const Value& field : fields.first) {
        const ValueArray* parts = field.array();
        if (!parts || parts->first.size() < 2) continue;
        if (const std::string* text = parts->first[1].string(); text && text->find('O') != std::string::npos) return true;
        if (const ValueArray* inner = parts->first[1].array(); inner && hasObjects(*inner)) return true;
    }
    return false;
}

bool readDescription(Header& header) {
    const Value* descr = header.description.find("descr");
    const Value* order = header.description.find("fortran_order");
    const Value* shape = header.description.find("shape");
    const bool* isColumnMajor = order ? std::get_if<bool>(&order->data) : nullptr;
    if (header.description.members.size() != 3 || !descr || !isColumnMajor || !shape || !shape->array()) return false;
    header.isColumnMajor = *isColumnMajor;
    if (descr->string()) readType(*descr->string(), header);
    else if (descr->array())
        header.typeText = "record", header.holdsObjects = hasObjects(*descr->array()), header.isPlain = arePlain(*descr->array());
    else return false;
    std::vector<std::uint64_t> sides;
    for (const Value& side : shape->array()->first) {
        const auto number = side.unsignedNumber();
        if (!number || side.type != ValueType::U64) return false;
        sides.push_back(*number);
    }
    const auto made = Shape::make(sides);
    if (!made) return false;
    header.shape = *made;
    return true;
}

} // namespace

Result<Header> parseHeader(std::span<const std::byte> head, const std::string& name) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (!text.starts_with(magic) || head.size() < 10) return malformed(name);
    const auto major = static_cast<unsigned>(head[6]), minor = static_cast<unsigned>(head[7]);
    if (major < 1 || major > 3 || minor != 0)
        return fail(ErrorCode::Unsupported, Reason("npy.version"), About{name},
                    WB_TEXT("{} is a NumPy array of version {}.{}, which is not supported."), name, major, minor);
    const std::size_t begin = major == 1 ? 10 : 12;
    if (head.size() < begin) return malformed(name);
    const std::uint64_t length = major == 1 ? load<std::uint16_t>(head.data() + 8) : load<std::uint32_t>(head.data() + 8);
    if (length > maxHeaderText)
        return fail(ErrorCode::TooLarge, Reason("npy.header_size"), About{name},
                    WB_TEXT("{} declares a header of {} bytes; the limit is {}."), name, length, maxHeaderText);
    if (head.size() - begin < length) return malformed(name);
    Header header;
    header.version = fmt::format("{}.{}", major, minor);
    header.bytes = begin + length;
    auto literal = parseLiteral(text.substr(begin, length));
    if (!literal || !literal->object()) return malformed(name);
    header.description = *literal->object();
    if (!readDescription(header)) return malformed(name);
    return header;
}

} // namespace wb::npy
