// SPDX-License-Identifier: MIT
#include "core/convert/merge/merged_model.h"

#include "core/base/json_writer.h"
#include "core/convert/merge/vocabulary_digest.h"
#include "core/convert/source/folder_text.h"
#include "core/convert/source/source_folder.h"
#include "core/formats/json/edit.h"
#include "core/formats/options.h"
#include "core/merge/models.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

constexpr std::uint64_t maxVocabulary = 256ull << 20; // of a tokenizer's file
constexpr std::array tokenizerFiles = {
    "tokenizer.json", "tokenizer.model",         "tokenizer_config.json", "vocab.json",         "merges.txt",         "vocab.txt",
    "tekken.json",    "special_tokens_map.json", "added_tokens.json",     "chat_template.json", "chat_template.jinja"};

const ValueObject* modelConfig(const Model& model) {
    const Value* const config = model.metadata.find("config.json");
    return config ? config->object() : nullptr;
}

Result<void> checkTypes(const Model& base, std::span<const ModelPtr> others) {
    const ValueObject* const own = modelConfig(base);
    for (const ModelPtr& other : others) {
        const ValueObject* const config = modelConfig(*other);
        if (!own || !config || memberText(*own, "model_type") == memberText(*config, "model_type")) continue;
        return fail(ErrorCode::Malformed, Reason("merge.model_type"), About{io::baseName(other->path)},
                    WB_TEXT("{} has the model_type {}, but {} has {}; only models of one architecture can be merged."),
                    io::baseName(other->path), memberText(*config, "model_type"), io::baseName(base.path),
                    memberText(*own, "model_type"));
    }
    return {};
}

// Of the first file that lists the tokens; empty if the model has none.
Result<std::optional<VocabularyDigest>> modelVocabulary(const Model& model) {
    if (model.format != FormatId::HuggingFace) return std::nullopt;
    WB_TRY_ASSIGN(const auto json, readText(model, "tokenizer.json", maxVocabulary));
    if (json) {
        WB_TRY_ASSIGN(const VocabularyDigest digest, digestVocabulary(*json, "tokenizer.json"));
        return digest;
    }
    for (const char* const name : {"tokenizer.model", "vocab.json", "vocab.txt", "tekken.json"}) {
        WB_TRY_ASSIGN(const auto bytes, readText(model, name, maxVocabulary));
        if (bytes) return VocabularyDigest{bytes->size(), std::hash<std::string>()(*bytes)};
    }
    return std::nullopt;
}

Result<void> checkVocabularies(const Model& base, std::span<const ModelPtr> others) {
    WB_TRY_ASSIGN(const auto own, modelVocabulary(base));
    for (const ModelPtr& other : others) {
        WB_TRY_ASSIGN(const auto digest, modelVocabulary(*other));
        if (!own || !digest || *own == *digest) continue;
        return fail(ErrorCode::Malformed, vocabulariesDiffer, About{io::baseName(other->path)},
                    WB_TEXT("The vocabulary of {} differs from that of {}; choose which tokenizer the merged model has."),
                    io::baseName(other->path), io::baseName(base.path));
    }
    return {};
}

// The files of another model's tokenizer instead of the base's.
Result<void> takeTokenizer(Model& merged, const Model& other) {
    for (const char* const name : tokenizerFiles) {
        WB_TRY_ASSIGN(auto text, readText(other, name, maxVocabulary));
        const auto file = std::ranges::find(other.files, name, &ModelFile::name);
        const bool isOwn = std::ranges::find(merged.files, name, &ModelFile::name) != merged.files.end();
        if (!text && !isOwn) continue;
        setText(merged, name, std::move(text).value_or(std::string()),
                file == other.files.end() ? std::nullopt : std::optional(file->identity));
    }
    return {};
}

// config.json with members that follow the result.
class ConfigEditor {
public:
    explicit ConfigEditor(std::string text) : m_text(std::move(text)) {}

    // The first of the keys that is there, in the outermost object or in that of the text model.
    void set(std::initializer_list<const char*> keys, const std::string& json) {
        for (const char* const within : {"text_config", ""})
            for (const char* const key : keys)
                if (auto changed = json::withMember(m_text, within, key, json)) {
                    m_text = std::move(*changed);
                    return;
                }
    }

    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

// Their kinds by the models' own configurations; empty where one lacks them.
std::string layerKinds(std::span<const ModelPtr> models, std::span<const merge::LayerSlice> layers) {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginArray();
    for (const merge::LayerSlice& slice : layers) {
        const ValueObject* config = modelConfig(*models[slice.model]);
        if (const Value* const text = config ? config->find("text_config") : nullptr; text && text->object())
            config = text->object();
        const Value* const kinds = config ? config->find("layer_types") : nullptr;
        if (!kinds || !kinds->array() || !kinds->array()->complete() || kinds->array()->first.size() <= slice.last) return {};
        for (std::uint64_t layer = slice.first; layer <= slice.last; ++layer) {
            const std::string* const kind = kinds->array()->first[layer].string();
            if (!kind) return {};
            out.string(*kind);
        }
    }
    out.endArray();
    out.finish();
    return json;
}

Result<void> followConfig(Model& merged, const merge::JoinedModels& joined, std::span<const ModelPtr> models) {
    if (!joined.vocabulary && joined.layers.empty()) return {};
    WB_TRY_ASSIGN(auto text, readText(merged, "config.json", formats::Limits().jsonText));
    if (!text) return {};
    ConfigEditor config(std::move(*text));
    if (joined.vocabulary) config.set({"vocab_size"}, fmt::format("{}", *joined.vocabulary));
    std::uint64_t count = 0;
    for (const merge::LayerSlice& slice : joined.layers) count += slice.last - slice.first + 1;
    if (count > 0) config.set({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, fmt::format("{}", count));
    if (const std::string kinds = layerKinds(models, joined.layers); !joined.layers.empty() && !kinds.empty())
        config.set({"layer_types"}, kinds);
    setText(merged, "config.json", config.take());
    return {};
}

} // namespace

Result<ModelPtr> mergedModel(const ModelPtr& base, std::span<const ModelPtr> others, const MergeChoices& choices,
                             const std::function<std::optional<Dtype>(const std::string& name)>& typeOf) {
    WB_TRY(checkTypes(*base, others));
    if (choices.tokenizer.empty()) WB_TRY(checkVocabularies(*base, others));
    const auto chosen = std::ranges::find(choices.models, choices.tokenizer);
    if (!choices.tokenizer.empty() && choices.tokenizer != "base" && chosen == choices.models.end())
        return fail(ErrorCode::Invalid, Reason("merge.setting"), About{"tokenizer"},
                    WB_TEXT("{} is not one of the merged models, so its tokenizer cannot be used; use base or one of the models."),
                    choices.tokenizer);
    WB_TRY_ASSIGN(const merge::JoinedModels joined, merge::mergeModels(base, others, choices.settings, typeOf));
    auto merged = std::make_shared<Model>(*joined.model);
    std::vector<ModelPtr> models = {base};
    models.insert(models.end(), others.begin(), others.end());
    WB_TRY(followConfig(*merged, joined, models));
    if (chosen != choices.models.end())
        WB_TRY(takeTokenizer(*merged, *others[static_cast<std::size_t>(chosen - choices.models.begin())]));
    return ModelPtr(std::move(merged));
}

} // namespace wb::convert
