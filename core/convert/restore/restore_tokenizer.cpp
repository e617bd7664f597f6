// SPDX-License-Identifier: MIT
#include "core/base/json_writer.h"
#include "core/convert/restore/restore_folder.h"
#include "core/convert/gguf/sampling_pairs.h"
#include "core/convert/gguf/tokenizer_json.h"
#include "core/formats/gguf/gguf.h"
#include "core/text/pretokenizer.h"
#include "core/text/tokenizer_names.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::convert {
namespace {

// tokenizer.ggml.token_type.
enum Kind : std::int32_t { normalKind = 1, unknownKind = 2, controlKind = 3, userDefinedKind = 4, unusedKind = 5, byteKind = 6 };

constexpr float addedScore = -1'000;

struct Vocabulary {
    std::vector<std::string> texts;
    std::vector<float> scores; // empty where the file has none
    std::vector<std::int32_t> kinds;
    std::vector<std::string> merges;

    bool isPadding(std::size_t id) const { return kinds[id] == unusedKind && texts[id] == fmt::format("[PAD{}]", id); }
    bool isAdded(std::size_t id) const {
        return kinds[id] == userDefinedKind || (kinds[id] == controlKind && (scores.empty() || scores[id] == addedScore));
    }
};

std::string json(const auto& write) {
    std::string text;
    JsonWriter out([&text](std::string_view part) { text += part; });
    write(out);
    out.finish();
    return text;
}

void member(JsonWriter& out, std::string_view key, std::string_view text) { out.key(key), out.string(text); }
void member(JsonWriter& out, std::string_view key, const char* text) { out.key(key), out.string(text); }
void member(JsonWriter& out, std::string_view key, bool value) { out.key(key), out.boolean(value); }
void nothing(JsonWriter& out, std::string_view key) { out.key(key), out.null(); }

// One message of protocol buffers (google/sentencepiece: src/sentencepiece_model.proto).
class Message {
public:
    void number(std::uint32_t field, std::uint64_t value) { varint(field << 3), varint(value); }
    void text(std::uint32_t field, std::string_view bytes) { varint(field << 3 | 2), varint(bytes.size()), m_bytes += bytes; }
    void real(std::uint32_t field, float value) {
        varint(field << 3 | 5);
        std::array<char, sizeof value> bytes{};
        std::memcpy(bytes.data(), &value, sizeof value);
        m_bytes.append(bytes.data(), bytes.size());
    }
    const std::string& bytes() const { return m_bytes; }

private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) m_bytes += static_cast<char>((value & 0x7F) | 0x80);
        m_bytes += static_cast<char>(value);
    }
    std::string m_bytes;
};

struct SpecialId {
    const char* name; // in tokenizer_config.json, with "_token"
    const char* pair;
};
// In the order in which converters look for them.
constexpr SpecialId specialIds[] = {
    {"bos", "tokenizer.ggml.bos_token_id"},     {"eos", "tokenizer.ggml.eos_token_id"},
    {"unk", "tokenizer.ggml.unknown_token_id"}, {"sep", "tokenizer.ggml.seperator_token_id"},
    {"pad", "tokenizer.ggml.padding_token_id"}, {"cls", "tokenizer.ggml.cls_token_id"},
    {"mask", "tokenizer.ggml.mask_token_id"},
};

namespace tokenizer_model = text::tokenizer_model;

class TokenizerRestorer {
public:
    explicit TokenizerRestorer(const RestoreContext& context) : m_context(context), m_metadata(context.model.metadata) {}

    Result<std::vector<TextFile>> run() {
        const std::string_view kind = textAt("tokenizer.ggml.model");
        if (kind != tokenizer_model::spm && kind != tokenizer_model::bpe && kind != tokenizer_model::scoredBpe) {
            note("convert.vocabulary_left_out",
                 WB_TEXT("A vocabulary of type {} cannot be written as tokenizer files yet; copy them from the original model."),
                 kind.empty() ? "none" : kind);
            return std::vector<TextFile>();
        }
        WB_TRY(readVocabulary());
        std::vector<TextFile> files;
        if (kind == tokenizer_model::spm) files.push_back({"tokenizer.model", sentencePiece()});
        else files.push_back({"tokenizer.json", tokenizerJson(kind == tokenizer_model::scoredBpe)});
        files.push_back({"tokenizer_config.json", tokenizerConfig(kind)});
        files.push_back({"generation_config.json", generationConfig()});
        return files;
    }

private:
    void note(Reason code, const char* sentence, std::string_view argument) {
        m_context.problems.push_back(makeProblem(Severity::Warning, code, "", std::nullopt, sentence, argument));
    }

    std::string_view textAt(std::string_view key) const {
        const Value* const value = m_metadata.find(key);
        return value && value->string() ? std::string_view(*value->string()) : std::string_view();
    }

    std::optional<bool> truthAt(std::string_view key) const {
        const Value* const value = m_metadata.find(key);
        const bool* const truth = value ? std::get_if<bool>(&value->data) : nullptr;
        return truth ? std::optional(*truth) : std::nullopt;
    }

    Result<std::vector<Value>> arrayAt(std::string_view key) const {
        const Value* const value = m_metadata.find(key);
        if (!value || !value->array()) return std::vector<Value>();
        if (value->array()->count > maxTokens)
            return fail(ErrorCode::TooLarge, Reason("convert.tokens"), About{std::string(key)},
                        WB_TEXT("{} lists more than {} tokens or merges."), key, maxTokens);
        return gguf::readArray(m_context.model, key, 0, value->array()->count);
    }

    Result<void> readVocabulary() {
        WB_TRY_ASSIGN(const auto tokens, arrayAt("tokenizer.ggml.tokens"));
        WB_TRY_ASSIGN(const auto kinds, arrayAt("tokenizer.ggml.token_type"));
        WB_TRY_ASSIGN(const auto scores, arrayAt("tokenizer.ggml.scores"));
        WB_TRY_ASSIGN(const auto merges, arrayAt("tokenizer.ggml.merges"));
        for (const Value& token : tokens) m_vocabulary.texts.push_back(token.string() ? *token.string() : std::string());
        m_vocabulary.kinds.assign(tokens.size(), normalKind);
        for (std::size_t i = 0; i < std::min(kinds.size(), tokens.size()); ++i)
            m_vocabulary.kinds[i] = static_cast<std::int32_t>(kinds[i].number().value_or(normalKind));
        if (scores.size() == tokens.size())
            for (const Value& score : scores) m_vocabulary.scores.push_back(static_cast<float>(score.number().value_or(0)));
        for (const Value& merge : merges)
            if (merge.string()) m_vocabulary.merges.push_back(*merge.string());
        return {};
    }

    // --- SentencePiece

    // What was added next to the model is in tokenizer_config.json.
    std::size_t pieceCount() const {
        std::size_t count = m_vocabulary.texts.size();
        while (count > 0 && (m_vocabulary.isPadding(count - 1) || m_vocabulary.isAdded(count - 1))) --count;
        return count;
    }

    std::string sentencePiece() const {
        Message model;
        for (std::size_t id = 0; id < pieceCount(); ++id) {
            Message piece;
            piece.text(1, m_vocabulary.texts[id]);
            piece.real(2, m_vocabulary.scores.empty() ? 0 : m_vocabulary.scores[id]);
            if (m_vocabulary.kinds[id] != normalKind) piece.number(3, static_cast<std::uint64_t>(m_vocabulary.kinds[id]));
            model.text(1, piece.bytes());
        }
        Message trainer;
        trainer.number(3, 2); // merges by score, as the runtimes of GGUF do
        trainer.number(4, pieceCount());
        trainer.number(35, 1); // bytes stand for what no piece does
        model.text(2, trainer.bytes());
        Message normalizer;
        normalizer.text(1, "identity");
        normalizer.number(3, truthAt("tokenizer.ggml.add_space_prefix").value_or(true) ? 1 : 0);
        normalizer.number(4, 0);
        model.text(3, normalizer.bytes());
        return model.bytes();
    }

    // --- BPE

    std::string tokenizerJson(bool isScored) {
        return json([&](JsonWriter& out) {
            out.beginObject();
            member(out, "version", "1.0");
            nothing(out, "truncation"), nothing(out, "padding");
            writeAdded(out);
            out.newline();
            writeNormalizer(out, isScored);
            writePreTokenizer(out, isScored);
            writePostProcessor(out);
            writeDecoder(out, isScored);
            writeModel(out, isScored);
            out.newline();
            out.endObject();
        });
    }

    void writeAdded(JsonWriter& out) const {
        out.newline(), out.key("added_tokens"), out.beginArray();
        for (std::size_t id = 0; id < m_vocabulary.texts.size(); ++id)
            if (isOutsideModel(id)) writeAddedToken(out, id);
        out.endArray();
    }

    bool isOutsideModel(std::size_t id) const {
        const std::int32_t kind = m_vocabulary.kinds[id];
        return kind == controlKind || kind == userDefinedKind || kind == unknownKind;
    }

    void writeAddedToken(JsonWriter& out, std::size_t id) const {
        out.newline(), out.beginObject();
        out.key("id"), out.integer(id);
        writeTokenMembers(out, id);
        out.endObject();
    }

    void writeTokenMembers(JsonWriter& out, std::size_t id) const {
        member(out, "content", m_vocabulary.texts[id]);
        for (const char* const flag : {"single_word", "lstrip", "rstrip", "normalized"}) member(out, flag, false);
        member(out, "special", m_vocabulary.kinds[id] != userDefinedKind);
    }

    static void writeNormalizer(JsonWriter& out, bool isScored) {
        if (isScored) out.key("normalizer"), out.raw(R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})");
        else nothing(out, "normalizer");
    }

    void writePreTokenizer(JsonWriter& out, bool isScored) {
        out.newline(), out.key("pre_tokenizer");
        if (isScored) {
            out.raw(R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false})");
            return;
        }
        const std::string_view pre = textAt("tokenizer.ggml.pre");
        const auto expressions = text::PreTokenizer::expressions(pre);
        if (expressions.empty())
            note("convert.pre_left_out",
                 WB_TEXT("The pre-tokenizer {} has no regular expressions for tokenizer.json; the new file uses those of GPT-2. "
                         "Copy tokenizer.json from the original model."),
                 pre);
        out.beginObject();
        member(out, "type", "Sequence");
        out.key("pretokenizers"), out.beginArray();
        for (const std::string_view expression : expressions) {
            out.beginObject();
            member(out, "type", "Split");
            out.key("pattern"), out.beginObject(), member(out, "Regex", expression), out.endObject();
            member(out, "behavior", "Isolated"), member(out, "invert", false);
            out.endObject();
        }
        out.raw(fmt::format(R"({{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":{}}})",
                            expressions.empty() ? "true" : "false"));
        out.endArray();
        out.endObject();
    }

    std::optional<std::size_t> idAt(const char* pair) const {
        const Value* const value = m_metadata.find(pair);
        const auto id = value ? value->unsignedNumber() : std::nullopt;
        return id && *id < m_vocabulary.texts.size() ? std::optional<std::size_t>(*id) : std::nullopt;
    }

    // Puts BOS before a text where the file reports it; between two texts where it says something of separators.
    void writePostProcessor(JsonWriter& out) const {
        const auto bos = idAt("tokenizer.ggml.bos_token_id");
        out.newline();
        if (!bos || !truthAt("tokenizer.ggml.add_bos_token").value_or(false)) return nothing(out, "post_processor");
        const auto step = [&out](const char* kind, std::string_view id, int type) {
            out.beginObject(), out.key(kind), out.beginObject();
            member(out, "id", id), out.key("type_id"), out.integer(type);
            out.endObject(), out.endObject();
        };
        const std::string& text = m_vocabulary.texts[*bos];
        out.key("post_processor"), out.beginObject();
        member(out, "type", "TemplateProcessing");
        out.key("single"), out.beginArray(), step("SpecialToken", text, 0), step("Sequence", "A", 0), out.endArray();
        out.key("pair"), out.beginArray(), step("SpecialToken", text, 0), step("Sequence", "A", 0);
        if (m_metadata.find("tokenizer.ggml.add_sep_token")) step("SpecialToken", text, 1);
        step("Sequence", "B", 1), out.endArray();
        out.key("special_tokens"), out.beginObject(), out.key(text), out.beginObject();
        member(out, "id", text);
        out.key("ids"), out.beginArray(), out.integer(*bos), out.endArray();
        out.key("tokens"), out.beginArray(), out.string(text), out.endArray();
        out.endObject(), out.endObject(), out.endObject();
    }

    static void writeDecoder(JsonWriter& out, bool isScored) {
        out.newline(), out.key("decoder");
        if (isScored)
            out.raw(R"({"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},)"
                    R"({"type":"ByteFallback"},{"type":"Fuse"}]})");
        else out.raw(R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})");
    }

    void writeModel(JsonWriter& out, bool isScored) const {
        const auto unknown = idAt("tokenizer.ggml.unknown_token_id");
        out.newline(), out.key("model"), out.beginObject();
        member(out, "type", "BPE"), nothing(out, "dropout");
        if (isScored && unknown) member(out, "unk_token", m_vocabulary.texts[*unknown]);
        else nothing(out, "unk_token");
        nothing(out, "continuing_subword_prefix"), nothing(out, "end_of_word_suffix");
        member(out, "fuse_unk", isScored), member(out, "byte_fallback", isScored);
        member(out, "ignore_merges", text::hasTrait(textAt("tokenizer.ggml.pre"), text::PreTrait::IgnoresMerges));
        out.newline(), out.key("vocab"), out.beginObject();
        for (std::size_t id = 0; id < m_vocabulary.texts.size(); ++id)
            if (!isOutsideModel(id) && !m_vocabulary.isPadding(id)) out.newline(), out.key(m_vocabulary.texts[id]), out.integer(id);
        out.endObject();
        out.newline(), out.key("merges"), out.beginArray();
        for (const std::string& merge : m_vocabulary.merges) writeMerge(out, merge);
        out.endArray();
        out.endObject();
    }

    static void writeMerge(JsonWriter& out, std::string_view merge) {
        const std::size_t blank = merge.find(' ', 1); // a part may be a blank
        out.newline();
        if (blank == std::string_view::npos) return out.string(merge);
        out.beginArray(), out.string(merge.substr(0, blank)), out.string(merge.substr(blank + 1)), out.endArray();
    }

    // --- tokenizer_config.json, generation_config.json

    // A converter finds those that tokenizer_config.json names first, in this order, then those of config.json in the same order:
    // the ids of the file that are in order at its beginning are the former.
    std::vector<const SpecialId*> namedIds() const {
        std::vector<const SpecialId*> named;
        for (const Member& pair : m_metadata.members) {
            const auto* const id =
                std::ranges::find(specialIds, pair.key, [](const SpecialId& each) { return std::string_view(each.pair); });
            if (id == std::end(specialIds)) continue;
            if (!named.empty() && id < named.back()) break;
            named.push_back(id);
        }
        return named;
    }

    // A token that the model's own members name (FolderRules::tokenizerKeys) need not be an added one, which a tokenizer can name:
    // then BOS replaces it.
    std::optional<std::size_t> namedId(const SpecialId& special) const {
        const auto id = idAt(special.pair);
        const auto& keys = m_context.rules.tokenizerKeys;
        const bool isOther =
            std::ranges::any_of(keys, [&](const KeyRule& rule) { return rule.key == special.pair && !rule.members[0].empty(); });
        return id && isOther && !isOutsideModel(*id) ? idAt("tokenizer.ggml.bos_token_id") : id;
    }

    void writeNamed(JsonWriter& out) const {
        for (const SpecialId* const special : namedIds())
            if (const auto id = namedId(*special)) member(out, std::string(special->name) + "_token", m_vocabulary.texts[*id]);
    }

    std::string tokenizerConfig(std::string_view kind) const {
        return json([&](JsonWriter& out) {
            out.beginObject();
            member(out, "tokenizer_class",
                   kind == tokenizer_model::bpe ? std::string_view("PreTrainedTokenizerFast") : m_context.rules.tokenizerClass);
            member(out, "clean_up_tokenization_spaces", false);
            writeNamed(out);
            for (const char* const name : {"bos", "eos", "sep"})
                if (const auto adds = truthAt(fmt::format("tokenizer.ggml.add_{}_token", name)))
                    member(out, fmt::format("add_{}_token", name), *adds);
            if (const auto adds = truthAt("tokenizer.ggml.add_space_prefix"); adds && m_context.rules.sentencePieceHints)
                member(out, "add_prefix_space", *adds);
            writeDecoderOfAdded(out, kind == tokenizer_model::spm);
            writeTemplates(out);
            out.newline(), out.endObject();
        });
    }

    void writeDecoderOfAdded(JsonWriter& out, bool isPiece) const {
        out.newline(), out.key("added_tokens_decoder"), out.beginObject();
        for (std::size_t id = 0; id < m_vocabulary.texts.size(); ++id) {
            if (isPiece ? !m_vocabulary.isAdded(id) : !isOutsideModel(id)) continue;
            out.newline(), out.key(fmt::format("{}", id)), out.beginObject();
            writeTokenMembers(out, id);
            out.endObject();
        }
        out.endObject();
    }

    void writeTemplates(JsonWriter& out) const {
        constexpr std::string_view key = "tokenizer.chat_template";
        const std::string_view standard = textAt(key);
        const bool hasNamed = m_metadata.find("tokenizer.chat_templates") != nullptr;
        if (!hasNamed && !standard.empty()) out.newline(), member(out, "chat_template", standard);
        if (!hasNamed) return;
        out.newline(), out.key("chat_template"), out.beginArray();
        const auto choice = [&out](std::string_view name, std::string_view text) {
            out.newline(), out.beginObject(), member(out, "name", name), member(out, "template", text), out.endObject();
        };
        if (!standard.empty()) choice("default", standard);
        for (const Member& pair : m_metadata.members)
            if (pair.key.starts_with(std::string(key) + ".") && pair.value.string())
                choice(std::string_view(pair.key).substr(key.size() + 1), *pair.value.string());
        out.endArray();
    }

    std::string generationConfig() const {
        return json([&](JsonWriter& out) {
            out.beginObject();
            for (const SpecialId& special : specialIds) {
                const std::string_view name = special.name;
                const auto id = idAt(special.pair);
                if (id && (name == "bos" || name == "eos" || name == "pad"))
                    out.key(std::string(name) + "_token_id"), out.integer(*id);
            }
            for (const auto& [name, number] : samplingMembers(m_metadata)) out.key(std::string(name)), out.raw(number);
            out.endObject();
        });
    }

    const RestoreContext& m_context;
    const ValueObject& m_metadata;
    Vocabulary m_vocabulary;
};

} // namespace

Result<std::vector<TextFile>> restoreTokenizer(const RestoreContext& context) { return TokenizerRestorer(context).run(); }

} // namespace wb::convert
