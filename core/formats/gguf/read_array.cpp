// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"

#include "core/formats/gguf/metadata.h"

namespace wb::gguf {
namespace {

std::vector<Value> slice(const std::vector<Value>& values, std::uint64_t first, std::uint64_t count) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
}

Result<std::vector<Value>> readElements(const io::ByteSource& source, const ValueArray& array, const Header& header,
                                        std::uint64_t first, std::uint64_t count) {
    io::Cursor cursor(source, *array.position, header.bigEndian);
    const formats::OpenOptions options;
    Findings findings(source.name(), formats::Strictness::Lenient);
    ValueReader reader(cursor, header, options, findings);
    WB_TRY(reader.skip(array.elementType, first, 1));
    std::vector<Value> out;
    out.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        WB_TRY_ASSIGN(Value element, reader.value(array.elementType, 1));
        out.push_back(std::move(element));
    }
    return out;
}

} // namespace

Result<std::vector<Value>> readArray(const Model& model, std::string_view key, std::uint64_t first, std::uint64_t count) {
    const Value* value = model.metadata.find(key);
    const ValueArray* array = value ? value->array() : nullptr;
    const std::string name = model.files.empty() ? std::string() : model.files.front().name;
    if (!array)
        return fail(ErrorCode::Invalid, Reason("gguf.no_array"), About{name}, WB_TEXT("{} has no array named {}."), name,
                    shown(key));
    if (first > array->count || count > array->count - first)
        return fail(ErrorCode::Invalid, Reason("gguf.array_range"), About{name}, WB_TEXT("{} has only {} values in {}."), name,
                    array->count, shown(key));
    if (array->complete()) return slice(array->first, first, count);
    if (!array->position || model.format != FormatId::Gguf)
        return fail(ErrorCode::Invalid, Reason("gguf.array_not_stored"), About{name}, WB_TEXT("{} does not contain all of {}."),
                    name, shown(key));
    WB_TRY_ASSIGN(const auto source, openFile(model, 0));
    Header header;
    header.version = model.version == "1" ? 1 : 3;
    header.bigEndian = model.bigEndian;
    return readElements(*source, *array, header, first, count);
}

} // namespace wb::gguf
