// SPDX-License-Identifier: MIT
#include "core/base/json_writer.h"
#include "core/diff/diff.h"
#include "core/formats/json/json.h"

#include <algorithm>

namespace wb::diff {
namespace {

std::unexpected<Error> noMap(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("diff.map_file"), About{name},
                WB_TEXT("{} is not a mapping of tensors; it needs \"pairs\", a list of objects with \"a\", \"b\" and \"mapping\"."),
                name);
}

std::optional<std::vector<std::string>> valueTexts(const Value* value) {
    const ValueArray* const array = value ? value->array() : nullptr;
    if (!array || !array->complete()) return std::nullopt;
    std::vector<std::string> texts;
    for (const Value& element : array->first) {
        if (!element.string()) return std::nullopt;
        texts.push_back(*element.string());
    }
    return texts;
}

Result<WantedPair> readPair(const Value& value, const std::string& name) {
    const ValueObject* const object = value.object();
    if (!object) return noMap(name);
    const auto a = valueTexts(object->find("a")), b = valueTexts(object->find("b"));
    const Value* const word = object->find("mapping");
    if (!a || !b || a->empty() || b->empty() || (word && !word->string())) return noMap(name);
    const auto mapping = mappingsFromText(word ? std::string_view(*word->string()) : "same");
    if (!mapping)
        return fail(ErrorCode::Invalid, Reason("diff.mapping_word"), About{name},
                    WB_TEXT("{} contains the unknown mapping \"{}\"."), name, *word->string());
    Mappings mappings = *mapping;
    std::erase(mappings, Mapping::Same);
    return WantedPair{*a, *b, std::move(mappings)};
}

void writeMapNames(JsonWriter& out, const char* key, const std::vector<std::string>& names) {
    out.key(key);
    out.beginArray();
    for (const std::string& name : names) out.string(name);
    out.endArray();
}

} // namespace

Result<MapFile> readMapFile(const std::filesystem::path& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(const std::string text, json::readText(*source, source->name(), {}));
    return parseMapFile(text, source->name());
}

Result<MapFile> parseMapFile(std::string_view text, const std::string& name) {
    formats::Limits limits;
    limits.keptJsonMembers = limits.tensorsPerFile;
    std::vector<Problem> problems;
    WB_TRY_ASSIGN(const Value value, json::parse(text, name, limits, problems));
    const ValueObject* const object = value.object();
    const Value* const pairs = object ? object->find("pairs") : nullptr;
    if (!object || (pairs && !pairs->array())) return noMap(name);
    MapFile map;
    if (pairs && !pairs->array()->complete()) return noMap(name);
    for (const Value& pair : pairs ? std::span<const Value>(pairs->array()->first) : std::span<const Value>()) {
        WB_TRY_ASSIGN(WantedPair wanted, readPair(pair, name));
        map.pairs.push_back(std::move(wanted));
    }
    if (const Value* const ignored = object->find("ignore")) {
        const auto patterns = valueTexts(ignored);
        if (!patterns) return noMap(name);
        map.ignored = *patterns;
    }
    if (!pairs && map.ignored.empty()) return noMap(name);
    return map;
}

void MapFile::set(WantedPair pair) {
    const auto shares = [](const std::vector<std::string>& one, const std::vector<std::string>& other) {
        return std::ranges::any_of(one, [&](const std::string& name) { return std::ranges::find(other, name) != other.end(); });
    };
    std::erase_if(pairs, [&](const WantedPair& known) { return shares(known.a, pair.a) || shares(known.b, pair.b); });
    pairs.push_back(std::move(pair));
}

std::string mapFileText(const MapFile& map) {
    std::string text;
    JsonWriter out([&](std::string_view part) { text += part; });
    out.beginObject();
    out.key("pairs");
    out.beginArray();
    for (const WantedPair& pair : map.pairs) {
        out.newline();
        out.beginObject();
        writeMapNames(out, "a", pair.a);
        writeMapNames(out, "b", pair.b);
        out.key("mapping");
        out.string(mappingText(pair.mapping));
        out.endObject();
    }
    out.endArray();
    out.newline();
    writeMapNames(out, "ignore", map.ignored);
    out.endObject();
    out.finish();
    return text;
}

std::string mapFileText(const Comparison& comparison, const std::vector<std::string>& ignored) {
    MapFile map;
    for (const Pair& pair : comparison.pairs) map.pairs.push_back({pair.a, pair.b, pair.mapping});
    map.ignored = ignored;
    return mapFileText(map);
}

} // namespace wb::diff
