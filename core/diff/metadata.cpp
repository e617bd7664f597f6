// SPDX-License-Identifier: MIT
#include "core/diff/metadata.h"

#include "core/base/json_writer.h"
#include "core/diff/gguf_view.h"
#include "core/formats/gguf/gguf.h"
#include "core/model/model_json.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace wb::diff {
namespace {

using Keys = std::map<std::string, std::string>; // the values as JSON

std::string valueJson(const Value& value) {
    std::string text;
    JsonWriter out([&](std::string_view part) { text += part; });
    writeJson(out, value);
    out.finish();
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

// Long arrays are kept in part: the rest is read, to find a change anywhere in them.
Result<Value> wholeValue(const Model& model, const Member& member) {
    const ValueArray* const array = member.value.array();
    if (!array || array->complete() || model.format != FormatId::Gguf) return member.value;
    WB_TRY_ASSIGN(auto values, gguf::readArray(model, member.key, 0, array->count));
    ValueArray whole = *array;
    whole.first = std::move(values);
    return Value::of(std::move(whole));
}

bool isTokenizerFile(std::string_view name) {
    const std::string_view base = name.substr(name.rfind('/') + 1);
    return base.starts_with("tokenizer") || base.starts_with("chat_template") || base.ends_with(".jinja") ||
           base.ends_with(".index.json") || base == "special_tokens_map.json" || base == "added_tokens.json" ||
           base.starts_with("vocab.");
}

void flatten(const std::string& key, const Value& value, Keys& keys) {
    const ValueObject* const object = value.object();
    if (!object || object->members.empty()) {
        keys[key] = valueJson(value);
        return;
    }
    for (const Member& member : object->members) flatten(key + '.' + member.key, member.value, keys);
}

Result<Keys> modelKeys(const Model& model) {
    Keys keys;
    for (const Member& member : model.metadata.members) {
        if (member.key.starts_with("tokenizer.") || isTokenizerFile(member.key)) continue;
        WB_TRY_ASSIGN(const Value value, wholeValue(model, member));
        flatten(member.key, value, keys);
    }
    return keys;
}

// Keys that say something about the file and not about the model in the folder.
std::set<std::string_view> keysOfFile(const GgufView& view) {
    std::set<std::string_view> keys;
    for (const convert::PlannedPair& pair : view.plan->pairs)
        if (pair.origin == convert::Origin::Computed) keys.insert(pair.stored.key);
    return keys;
}

std::vector<std::string> textsAt(const std::vector<Value>& values) {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const Value& value : values) texts.push_back(value.string() ? *value.string() : std::string());
    return texts;
}

struct Vocabulary {
    std::vector<std::string> tokens, merges;
};

Result<std::vector<std::string>> modelArray(const Model& model, const char* key) {
    const Value* const value = model.metadata.find(key);
    if (!value || !value->array()) return std::vector<std::string>();
    WB_TRY_ASSIGN(const auto values, gguf::readArray(model, key, 0, value->array()->count));
    return textsAt(values);
}

// Of a GGUF file, or of a folder as it would be converted.
Result<std::optional<Vocabulary>> sidesVocabulary(const ModelPtr& model, const Sides& sides) {
    ModelPtr read = model->format == FormatId::Gguf ? model : nullptr;
    if (!read && sides.view) read = sides.view->model;
    if (!read) {
        const auto view = makeGgufView(model, true);
        if (!view) return std::nullopt;
        read = view->model;
    }
    Vocabulary vocabulary;
    WB_TRY_ASSIGN(vocabulary.tokens, modelArray(*read, "tokenizer.ggml.tokens"));
    WB_TRY_ASSIGN(vocabulary.merges, modelArray(*read, "tokenizer.ggml.merges"));
    if (vocabulary.tokens.empty()) return std::nullopt;
    return vocabulary;
}

std::uint64_t missingFrom(const std::vector<std::string>& texts, const std::set<std::string_view>& others) {
    const auto isMissing = [&](const std::string& text) { return !others.contains(text); };
    return static_cast<std::uint64_t>(std::ranges::count_if(texts, isMissing));
}

// The first id of each text.
std::unordered_map<std::string_view, std::size_t> tokenIds(const std::vector<std::string>& tokens) {
    std::unordered_map<std::string_view, std::size_t> ids;
    for (std::size_t id = 0; id < tokens.size(); ++id) ids.emplace(tokens[id], id);
    return ids;
}

TokenizerDifference vocabularyDifference(const Vocabulary& a, const Vocabulary& b) {
    TokenizerDifference difference;
    const auto list = [&](const std::string& text, std::optional<std::uint64_t> idOfA, std::optional<std::uint64_t> idOfB) {
        if (difference.tokens.size() < maxListedTokens) difference.tokens.push_back({text, idOfA, idOfB});
    };
    const auto idsOfA = tokenIds(a.tokens), idsOfB = tokenIds(b.tokens);
    for (std::size_t id = 0; id < a.tokens.size(); ++id) {
        if (idsOfA.at(a.tokens[id]) != id) continue; // a second token of this text
        const auto other = idsOfB.find(a.tokens[id]);
        if (other != idsOfB.end() && other->second == id) continue;
        ++(other == idsOfB.end() ? difference.removed : difference.renumbered);
        list(a.tokens[id], id, other == idsOfB.end() ? std::nullopt : std::optional<std::uint64_t>(other->second));
    }
    for (std::size_t id = 0; id < b.tokens.size(); ++id) {
        if (idsOfB.at(b.tokens[id]) != id || idsOfA.contains(b.tokens[id])) continue;
        ++difference.added;
        list(b.tokens[id], std::nullopt, id);
    }
    const std::set<std::string_view> mergesOfA(a.merges.begin(), a.merges.end()), mergesOfB(b.merges.begin(), b.merges.end());
    difference.mergesChanged = missingFrom(a.merges, mergesOfB) + missingFrom(b.merges, mergesOfA);
    return difference;
}

// The text of a JSON object's member of the metadata.
const std::string* textIn(const Model& model, const char* file, const char* key) {
    const Value* const value = model.metadata.find(file);
    const Value* const member = value && value->object() ? value->object()->find(key) : nullptr;
    return member ? member->string() : nullptr;
}

const std::string* modelTemplate(const Model& model) {
    for (const char* const key : {"tokenizer.chat_template", "chat_template.jinja"})
        if (const Value* const value = model.metadata.find(key); value && value->string()) return value->string();
    for (const char* const file : {"chat_template.json", "tokenizer_config.json"})
        if (const std::string* const text = textIn(model, file, "chat_template")) return text;
    return nullptr;
}

} // namespace

Result<MetadataDifference> compareMetadata(const Sides& sides) {
    const auto seen = [&](const ModelPtr& model) -> const Model& {
        return sides.view && model->format == FormatId::HuggingFace ? *sides.view->model : *model;
    };
    WB_TRY_ASSIGN(const Keys a, modelKeys(seen(sides.a)));
    WB_TRY_ASSIGN(const Keys b, modelKeys(seen(sides.b)));
    const auto ofFile = sides.view ? keysOfFile(*sides.view) : std::set<std::string_view>();
    MetadataDifference difference;
    for (const auto& [key, value] : a) {
        if (ofFile.contains(key)) continue;
        const auto other = b.find(key);
        if (other == b.end()) difference.onlyA.push_back({key, value});
        else if (other->second != value) difference.changed.push_back({key, value, other->second});
    }
    for (const auto& [key, value] : b)
        if (!a.contains(key) && !ofFile.contains(key)) difference.onlyB.push_back({key, value});
    return difference;
}

Result<std::optional<TokenizerDifference>> compareTokenizers(const Sides& sides) {
    WB_TRY_ASSIGN(const auto a, sidesVocabulary(sides.a, sides));
    if (!a) return std::nullopt;
    WB_TRY_ASSIGN(const auto b, sidesVocabulary(sides.b, sides));
    if (!b) return std::nullopt;
    return vocabularyDifference(*a, *b);
}

std::optional<std::string> chatTemplate(const Model& model) {
    const std::string* const text = modelTemplate(model);
    return text ? std::optional(*text) : std::nullopt;
}

} // namespace wb::diff
