// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/json/json.h"

#include <cstdlib>

namespace {

// All text that comes out of the reader is UTF-8.
void check(const wb::Value& value) {
    if (const std::string* text = value.string(); text && !wb::isUtf8(*text)) std::abort();
    if (const wb::ValueArray* array = value.array())
        for (const wb::Value& element : array->first) check(element);
    if (const wb::ValueObject* object = value.object())
        for (const wb::Member& member : object->members) {
            if (!wb::isUtf8(member.key)) std::abort();
            check(member.value);
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Low caps, so that short inputs reach what long files do.
    wb::formats::Limits limits;
    limits.keptJsonMembers = 8;
    limits.keptFirstElements = 3;
    limits.keptStringBytes = 20;
    std::vector<wb::Problem> problems;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto value = wb::json::parse(text, "input.json", limits, problems)) check(*value);
    return 0;
}
