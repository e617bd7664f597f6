// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tokenizer_json.h"
#include "core/convert/gguf/vocabulary.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

// As gguf-py/gguf/vocab.py, class SpecialVocab, of ggml-org/llama.cpp v0.5.0 finds them.
namespace wb::convert {
namespace {

struct SpecialKind {
    std::string_view name; // in tokenizer_config.json and config.json
    const char* key;       // of the id
    const char* addKey;    // null: the reference writes none
};
constexpr SpecialKind specialKinds[] = {
    {"bos", "tokenizer.ggml.bos_token_id", "tokenizer.ggml.add_bos_token"},
    {"eos", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.add_eos_token"},
    {"unk", "tokenizer.ggml.unknown_token_id", nullptr},
    {"sep", "tokenizer.ggml.seperator_token_id", "tokenizer.ggml.add_sep_token"},
    {"pad", "tokenizer.ggml.padding_token_id", nullptr},
    {"cls", "tokenizer.ggml.cls_token_id", nullptr},
    {"mask", "tokenizer.ggml.mask_token_id", nullptr},
};
// Those that families name themselves.
constexpr SpecialKind extraKinds[] = {
    {"eot", "tokenizer.ggml.eot_token_id", nullptr},
    {"eom", "tokenizer.ggml.eom_token_id", nullptr},
};

const SpecialKind* kindFromName(std::string_view name) {
    for (const std::span<const SpecialKind> kinds :
         {std::span<const SpecialKind>(specialKinds), std::span<const SpecialKind>(extraKinds)})
        if (const auto kind = std::ranges::find(kinds, name, &SpecialKind::name); kind != kinds.end()) return &*kind;
    return nullptr;
}

// The text of a special token, which stands alone or in an object.
std::string_view tokenText(const ValueObject& config, std::string_view key) {
    const Value* const value = findSet(config, key);
    if (value && value->object()) return memberText(*value->object(), "content");
    return value && value->string() ? std::string_view(*value->string()) : std::string_view();
}

// The special token or sequence of one step of a template.
std::string_view idOfStep(const Value& step, std::string_view kind) {
    const Value* const named = step.object() ? findSet(*step.object(), kind) : nullptr;
    return named && named->object() ? memberText(*named->object(), "id") : std::string_view();
}

std::span<const Value> processorSteps(const ValueObject& processor, std::string_view key) {
    const Value* const steps = findSet(processor, key);
    return steps && steps->array() ? std::span(steps->array()->first) : std::span<const Value>();
}

class SpecialTokens {
public:
    SpecialTokens(const SourceFolder& folder, std::uint64_t size) : m_folder(folder), m_size(size) {
        for (const SpecialKind& kind : specialKinds)
            m_texts[kind.name] = tokenText(folder.tokenizerConfig, std::string(kind.name) + "_token");
    }

    void readTokenizer(const TokenizerJson& tokenizer) {
        if (m_texts["bos"].empty()) m_texts["bos"] = m_texts["cls"];
        if (m_texts["eos"].empty()) m_texts["eos"] = m_texts["sep"];
        if (const ValueObject* const processor = tokenizer.postProcessor.object()) {
            const auto inner = processorSteps(*processor, "processors");
            for (const Value& step : inner)
                if (step.object()) readProcessor(*step.object());
            if (!findSet(*processor, "processors")) readProcessor(*processor);
        }
        for (const SpecialKind& kind : specialKinds) {
            const auto token = std::ranges::find(tokenizer.added, m_texts[kind.name], &AddedToken::content);
            if (!m_texts[kind.name].empty() && token != tokenizer.added.end()) setId(kind, token->id, Origin::Tokenizer);
        }
    }

    void readConfigs() {
        for (const SpecialKind& kind : specialKinds) {
            const Value* const adds = findSet(m_folder.tokenizerConfig, "add_" + std::string(kind.name) + "_token");
            if (const bool* const value = adds ? std::get_if<bool>(&adds->data) : nullptr) setAdds(kind.name, *value);
        }
        for (const SpecialKind& kind : specialKinds) {
            const Value* const id = findSet(m_folder.config, std::string(kind.name) + "_token_id");
            if (id && id->unsignedNumber()) setId(kind, *id->unsignedNumber(), Origin::Config);
        }
    }

    // Does not change a known id.
    void readExtra(const TokenizerJson& tokenizer, std::span<const ExtraToken> extra) {
        for (const ExtraToken& wanted : extra) {
            const auto token = std::ranges::find(tokenizer.added, wanted.text, &AddedToken::content);
            const SpecialKind* const kind = kindFromName(wanted.name);
            if (kind && token != tokenizer.added.end()) setId(*kind, token->id, Origin::Tokenizer);
        }
    }

    void write(PairList& pairs) const {
        for (const Id& id : m_ids) pairs.u32(id.kind->key, id.id, id.origin);
        for (const auto& [name, adds] : m_adds) {
            const auto* const kind = std::ranges::find(specialKinds, name, &SpecialKind::name);
            if (kind->addKey) pairs.truth(kind->addKey, adds, Origin::Tokenizer);
        }
    }

private:
    struct Id {
        const SpecialKind* kind;
        std::uint32_t id;
        Origin origin;
    };

    void setId(const SpecialKind& kind, std::uint64_t id, Origin origin) {
        if (id >= m_size || std::ranges::find(m_ids, &kind, &Id::kind) != m_ids.end()) return;
        m_ids.push_back({&kind, static_cast<std::uint32_t>(id), origin});
    }

    void setAdds(std::string_view name, bool value) {
        const auto known = std::ranges::find(m_adds, name, [](const auto& entry) { return entry.first; });
        if (known == m_adds.end()) m_adds.emplace_back(name, value);
        else known->second = value;
    }

    void readProcessor(const ValueObject& processor) {
        const std::string_view type = memberText(processor, "type");
        if (type == "RobertaProcessing")
            for (const char* const name : {"bos", "eos", "sep"}) setAdds(name, true);
        if (type == "TemplateProcessing") readTemplate(processorSteps(processor, "single"), processorSteps(processor, "pair"));
    }

    void readTemplate(std::span<const Value> single, std::span<const Value> pair) {
        std::string_view first, last;
        if (single.size() > 1) {
            first = idOfStep(single.front(), "SpecialToken");
            last = idOfStep(single.back(), "SpecialToken");
            if (!first.empty()) setAdds("bos", first == m_texts["bos"] || first == m_texts["cls"]);
            if (!last.empty()) setAdds("eos", true);
            if (!last.empty()) m_texts["eos"] = last;
        }
        if (!first.empty() && !pair.empty() && idOfStep(pair.front(), "SpecialToken") == first) pair = pair.subspan(1);
        if (!last.empty() && !pair.empty() && idOfStep(pair.back(), "SpecialToken") == last) pair = pair.first(pair.size() - 1);
        if (pair.size() < 3 || idOfStep(pair.front(), "Sequence") != "A" || idOfStep(pair.back(), "Sequence") != "B") return;
        const std::string_view between = idOfStep(pair[1], "SpecialToken");
        const bool separates = !between.empty() && (between == m_texts["sep"] || between == m_texts["eos"]);
        setAdds("sep", separates && last.empty());
    }

    const SourceFolder& m_folder;
    std::uint64_t m_size;
    std::map<std::string_view, std::string_view> m_texts; // by SpecialKind::name
    std::vector<Id> m_ids;
    std::vector<std::pair<std::string_view, bool>> m_adds;
};

std::string templateName(std::string_view name) {
    std::string out(name);
    std::ranges::replace_if(
        out, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); }, '_');
    return out;
}

// The list form: one template by default, the others by name.
void addNamedTemplates(const ValueArray& list, PairList& pairs) {
    std::string_view standard;
    std::vector<std::string> names;
    for (const Value& choice : list.first) {
        const ValueObject* const object = choice.object();
        if (!object || memberText(*object, "name").empty() || !findSet(*object, "template")) continue;
        const std::string name = templateName(memberText(*object, "name"));
        if (name == "default") {
            standard = memberText(*object, "template");
            continue;
        }
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        pairs.text("tokenizer.chat_template." + name, memberText(*object, "template"), Origin::Tokenizer);
    }
    if (!names.empty()) pairs.texts("tokenizer.chat_templates", names, Origin::Tokenizer);
    if (!standard.empty()) pairs.text("tokenizer.chat_template", standard, Origin::Tokenizer);
}

void addTemplate(const SourceFolder& folder, PairList& pairs) {
    const Value* const own = findSet(folder.tokenizerConfig, "chat_template");
    if (own && own->string()) pairs.text("tokenizer.chat_template", *own->string(), Origin::Tokenizer);
    else if (own && own->array()) addNamedTemplates(*own->array(), pairs);
    if (folder.tokenizerConfig.find("chat_template") || !folder.chatTemplate) return;
    std::vector<std::string> names;
    for (const auto& [name, text] : folder.namedTemplates) {
        names.push_back(templateName(name));
        pairs.text("tokenizer.chat_template." + names.back(), text, Origin::Tokenizer);
    }
    if (!names.empty()) pairs.texts("tokenizer.chat_templates", names, Origin::Tokenizer);
    pairs.text("tokenizer.chat_template", *folder.chatTemplate, Origin::Tokenizer);
}

} // namespace

Result<void> addSpecialTokens(const SourceFolder& folder, std::span<const ExtraToken> extra, std::uint64_t size, PairList& pairs) {
    SpecialTokens tokens(folder, size);
    TokenizerJson tokenizer;
    if (folder.tokenizerJson) {
        WB_TRY_ASSIGN(tokenizer, parseTokenizerJson(*folder.tokenizerJson, "tokenizer.json"));
        tokens.readTokenizer(tokenizer);
    }
    tokens.readConfigs();
    tokens.readExtra(tokenizer, extra);
    tokens.write(pairs);
    addTemplate(folder, pairs);
    return {};
}

} // namespace wb::convert
