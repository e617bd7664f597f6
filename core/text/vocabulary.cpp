// SPDX-License-Identifier: MIT
#include "core/text/vocabulary.h"

#include "core/arch/family.h"
#include "core/base/ascii.h"
#include "core/formats/gguf/gguf.h"
#include "core/text/pretokenizer.h"
#include "core/text/tokenizer_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace wb::text {
namespace {

constexpr std::uint64_t maxTokens = 1 << 24; // the largest vocabularies have 262,144
constexpr std::uint64_t arrayStep = 1 << 16; // elements read between two reports of progress

using Words = std::initializer_list<std::string_view>;

// Texts by which a token has a part where no key names it.
const Words endOfTurnTexts = {"<|eot_id|>",        "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>",
                              "<|end_of_text|>",   "<EOT>",      "_<EOT>",  "[EOT]",         "<｜end▁of▁sentence｜>",
                              "<end_of_utterance>"};
const Words endTexts = {"<|eot_id|>",
                        "<|im_end|>",
                        "<|end|>",
                        "<|return|>",
                        "<|call|>",
                        "<|flush|>",
                        "<|calls|>",
                        "<end_of_turn>",
                        "<|endoftext|>",
                        "</s>",
                        "<|eom_id|>",
                        "<EOT>",
                        "_<EOT>",
                        "[EOT]",
                        "[EOS]",
                        "<|end_of_text|>",
                        "<end_of_utterance>",
                        "<eos>",
                        "<turn|>",
                        "<|tool_response>",
                        "<｜end▁of▁sentence｜>",
                        "[e~["};

struct VocabularyPart {
    TokenId SpecialIds::* id;
    Words keys; // after "tokenizer.ggml."
    Words texts;
};
const VocabularyPart parts[] = {
    {&SpecialIds::bos, {"bos_token_id", "cls_token_id"}, {}},
    {&SpecialIds::eos, {"eos_token_id"}, {}},
    {&SpecialIds::eot, {"eot_token_id"}, endOfTurnTexts},
    {&SpecialIds::eom, {"eom_token_id"}, {"<|eom_id|>"}},
    {&SpecialIds::unknown, {"unknown_token_id"}, {}},
    {&SpecialIds::separator, {"seperator_token_id"}, {}}, // the key is spelled so
    {&SpecialIds::padding, {"padding_token_id"}, {}},
    {&SpecialIds::mask, {"mask_token_id"}, {}},
    {&SpecialIds::fimPrefix,
     {"fim_pre_token_id", "prefix_token_id"},
     {"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>", "<|prefix|>"}},
    {&SpecialIds::fimSuffix,
     {"fim_suf_token_id", "suffix_token_id"},
     {"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>", "<|suffix|>"}},
    {&SpecialIds::fimMiddle,
     {"fim_mid_token_id", "middle_token_id"},
     {"<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>", "<|code_middle|>", "<|middle|>"}},
    {&SpecialIds::fimPadding, {"fim_pad_token_id"}, {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"}},
    {&SpecialIds::fimRepository, {"fim_rep_token_id"}, {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"}},
    {&SpecialIds::fimSeparator, {"fim_sep_token_id"}, {"<|file_sep|>"}},
};

struct AlgorithmName {
    std::string_view model; // tokenizer.ggml.model
    Algorithm algorithm;
};
constexpr AlgorithmName algorithms[] = {
    {tokenizer_model::spm, Algorithm::Spm}, {tokenizer_model::bpe, Algorithm::Bpe},       {"hybriddna", Algorithm::Bpe},
    {"whitespace", Algorithm::Bpe},         {tokenizer_model::scoredBpe, Algorithm::Bpe}, {tokenizer_model::wpm, Algorithm::Wpm},
    {tokenizer_model::ugm, Algorithm::Ugm}, {tokenizer_model::rwkv, Algorithm::Rwkv},
};

class VocabularyReader {
public:
    VocabularyReader(const Model& model, const VocabularyOptions& options)
        : m_model(model), m_options(options), m_file(model.files.empty() ? std::string() : model.files.front().name) {}

    Result<std::shared_ptr<const Vocabulary>> read() {
        m_vocabulary.file = m_file;
        WB_TRY(chooseAlgorithm());
        WB_TRY(readTokens());
        WB_TRY(readMerges());
        WB_TRY(readCharsmap());
        readFlags();
        readSpecialIds();
        findPartsByText();
        findEnds();
        markStripping();
        return std::make_shared<const Vocabulary>(std::move(m_vocabulary));
    }

private:
    const Value* value(std::string_view key) const { return m_model.metadata.find("tokenizer.ggml." + std::string(key)); }

    std::string text(std::string_view key) const {
        const Value* found = value(key);
        return found && found->string() ? *found->string() : std::string();
    }

    bool flag(std::string_view key, bool otherwise) const {
        const Value* found = value(key);
        const bool* stored = found ? std::get_if<bool>(&found->data) : nullptr;
        return stored ? *stored : otherwise;
    }

    template <typename... Args>
    void warn(Reason code, const char* sentence, Args&&... args) {
        m_vocabulary.problems.push_back(
            makeProblem(Severity::Warning, code, m_file, std::nullopt, sentence, std::forward<Args>(args)...));
    }

    Result<void> chooseAlgorithm() {
        m_vocabulary.model = text("model");
        const std::string& name = m_vocabulary.model;
        if (name.empty() || name == "none" || name == "no_vocab")
            return fail(ErrorCode::Unsupported, Reason("text.no_vocabulary"), About{m_file},
                        WB_TEXT("{} contains no vocabulary; use the model file that has one."), m_file);
        const auto* const row = std::ranges::find(algorithms, name, &AlgorithmName::model);
        if (row == std::end(algorithms))
            return fail(ErrorCode::Unsupported, Reason("text.algorithm_unknown"), About{m_file},
                        WB_TEXT("{} has a vocabulary of type \"{}\"; supported types are llama, gpt2, gemma4, bert, t5 and rwkv."),
                        m_file, name);
        m_vocabulary.algorithm = row->algorithm;
        return row->algorithm == Algorithm::Bpe ? choosePreTokenizer() : Result<void>();
    }

    bool isScoredBpe() const { return m_vocabulary.model == tokenizer_model::scoredBpe; }

    Result<void> choosePreTokenizer() {
        std::string& pre = m_vocabulary.pre;
        pre = m_options.pre ? *m_options.pre : isScoredBpe() ? m_vocabulary.model : text("pre");
        if (pre.empty()) {
            pre = "default";
            warn("text.no_pretokenizer", WB_TEXT("{} does not specify a pre-tokenizer; the default is used."), m_file);
        }
        const auto preTokenizer = PreTokenizer::find(pre);
        if (!preTokenizer && preTokenizer.error().code == ErrorCode::Unsupported)
            return fail(ErrorCode::Unsupported, preTokenizer.error().reason, About{m_file},
                        WB_TEXT("{} uses the unknown pre-tokenizer \"{}\"; choose one that splits text the same way, such as {}."),
                        m_file, pre, PreTokenizer::nearest(pre));
        if (!preTokenizer) return std::unexpected(preTokenizer.error());
        m_vocabulary.byteEncoded = preTokenizer->encodesBytes();
        m_vocabulary.escapeBlanks = hasTrait(pre, PreTrait::EscapesBlanks);
        m_vocabulary.ignoreMerges = hasTrait(pre, PreTrait::IgnoresMerges);
        return {};
    }

    // Calls use(index, element) for every element of an array; returns how many there are, none where the key is absent.
    template <typename Use>
    Result<std::uint64_t> forEach(std::string_view key, const Use& use) {
        const Value* found = value(key);
        if (!found) return 0;
        if (!found->array() || found->array()->count > maxTokens)
            return fail(ErrorCode::Malformed, Reason("text.array"), About{m_file},
                        WB_TEXT("{}: tokenizer.ggml.{} has an implausible length."), m_file, key);
        const std::uint64_t count = found->array()->count;
        for (std::uint64_t first = 0; first < count; first += arrayStep) {
            WB_TRY(m_options.progress.at(first, count));
            const std::uint64_t step = std::min(arrayStep, count - first);
            WB_TRY_ASSIGN(const auto elements, gguf::readArray(m_model, "tokenizer.ggml." + std::string(key), first, step));
            for (std::uint64_t i = 0; i < step; ++i) use(first + i, elements[i]);
        }
        return count;
    }

    Result<void> readTokens() {
        auto& tokens = m_vocabulary.tokens;
        WB_TRY_ASSIGN(const std::uint64_t count, forEach("tokens", [&](std::uint64_t i, const Value& element) {
                          const std::string* const stored = element.string();
                          tokens.push_back({stored && !stored->empty() ? *stored : fmt::format("[EMPTY_{}]", i)});
                      }));
        if (count == 0)
            return fail(ErrorCode::Malformed, Reason("text.no_tokens"), About{m_file},
                        WB_TEXT("{} has an empty vocabulary; download it again."), m_file);
        WB_TRY(
            readColumn("scores", [](Token& token, const Value& v) { token.score = static_cast<float>(v.number().value_or(0)); }));
        WB_TRY(readColumn("token_type", [](Token& token, const Value& v) {
            const double kind = v.number().value_or(1);
            if (kind >= 1 && kind <= 6) token.kind = static_cast<TokenKind>(static_cast<int>(kind));
        }));
        m_vocabulary.ids.reserve(count);
        std::uint64_t duplicates = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i)
            duplicates += !m_vocabulary.ids.insert_or_assign(tokens[i].text, static_cast<TokenId>(i)).second;
        if (duplicates > 0)
            warn("text.duplicate_token", WB_TEXT("{} has {} duplicate tokens; the last one of each is used."), m_file, duplicates);
        return {};
    }

    template <typename Set>
    Result<void> readColumn(std::string_view key, const Set& set) {
        WB_TRY_ASSIGN(const std::uint64_t count, forEach(key, [&](std::uint64_t i, const Value& element) {
                          if (i < m_vocabulary.tokens.size()) set(m_vocabulary.tokens[i], element);
                      }));
        if (count != 0 && count < m_vocabulary.tokens.size())
            return fail(ErrorCode::Malformed, Reason("text.short_column"), About{m_file},
                        WB_TEXT("{}: tokenizer.ggml.{} has {} values for {} tokens; download it again."), m_file, key, count,
                        m_vocabulary.tokens.size());
        return {};
    }

    Result<void> readMerges() {
        if (m_vocabulary.algorithm != Algorithm::Bpe) return {};
        WB_TRY_ASSIGN(const std::uint64_t count, forEach("merges", [&](std::uint64_t, const Value& element) {
                          m_vocabulary.merges.push_back(element.string() ? *element.string() : std::string());
                      }));
        if (count == 0 && !hasTrait(m_vocabulary.pre, PreTrait::MayLackMerges))
            return fail(ErrorCode::Malformed, Reason("text.no_merges"), About{m_file},
                        WB_TEXT("{} has no merges, which its vocabulary requires; download it again."), m_file);
        return {};
    }

    Result<void> readCharsmap() {
        if (m_vocabulary.algorithm != Algorithm::Ugm) return {};
        bool areBytes = true; // signed in some files
        WB_TRY(forEach("precompiled_charsmap", [&](std::uint64_t, const Value& element) {
            const double byte = element.number().value_or(256);
            if (byte >= -128 && byte < 256) m_vocabulary.charsmap += static_cast<char>(static_cast<int>(byte));
            else areBytes = false;
        }));
        if (!areBytes)
            return fail(ErrorCode::Malformed, Reason("text.charsmap"), About{m_file},
                        WB_TEXT("{}: the normalization table of the vocabulary is corrupted; download it again."), m_file);
        return {};
    }

    void readFlags() {
        Vocabulary& v = m_vocabulary;
        const bool isSpm = v.algorithm == Algorithm::Spm;
        const bool isWpm = v.algorithm == Algorithm::Wpm;
        const bool startsWithBos = isSpm || isWpm || hasTrait(v.pre, PreTrait::StartsWithBos);
        v.addBos = isScoredBpe() || flag("add_bos_token", startsWithBos);
        v.addEos = flag("add_eos_token", v.algorithm == Algorithm::Ugm);
        v.addSeparator = flag("add_sep_token", isWpm || hasTrait(v.pre, PreTrait::AddsSeparator));
        v.addSpacePrefix = flag("add_space_prefix", isSpm);
        v.removeExtraWhitespaces = flag("remove_extra_whitespaces", false);
        v.lowercase = v.model != "whitespace" && flag("normalizer.lowercase", true);
        v.stripAccents = flag("normalizer.strip_accents", v.lowercase);
        if (const Value* list = value("suppress_tokens"); list && list->array())
            for (const Value& element : list->array()->first)
                if (const auto id = element.unsignedNumber(); id && v.isValid(static_cast<TokenId>(*id)))
                    v.suppressed.push_back(static_cast<TokenId>(*id));
    }

    static SpecialIds defaultIds(const Vocabulary& v) {
        SpecialIds ids;
        if (v.model == tokenizer_model::scoredBpe) return ids;
        if (hasTrait(v.pre, PreTrait::HasNoBos)) {
            ids.eos = 11;
            return ids;
        }
        switch (v.algorithm) {
        case Algorithm::Spm: ids.bos = 1, ids.eos = 2, ids.unknown = 0; break;
        case Algorithm::Bpe: ids.bos = 11, ids.eos = 11; break;
        case Algorithm::Wpm: ids.bos = 101, ids.unknown = 100, ids.separator = 102, ids.padding = 0, ids.mask = 103; break;
        case Algorithm::Ugm: ids.eos = 1, ids.unknown = 2, ids.padding = 0; break;
        case Algorithm::Rwkv: break;
        }
        return ids;
    }

    void readSpecialIds() {
        m_vocabulary.special = defaultIds(m_vocabulary);
        for (const VocabularyPart& part : parts) {
            TokenId& id = m_vocabulary.special.*part.id;
            if (!m_vocabulary.isValid(id)) id = noToken;
            for (const std::string_view key : part.keys) {
                const Value* const stored = value(key);
                const auto number = stored ? stored->unsignedNumber() : std::nullopt;
                if (!stored) continue;
                if (number && *number < m_vocabulary.tokens.size()) {
                    id = static_cast<TokenId>(*number);
                    break;
                }
                warn("text.special_id", WB_TEXT("{}: tokenizer.ggml.{} is not a token of the vocabulary and is ignored."), m_file,
                     key);
            }
        }
    }

    void makeControl(TokenId id) { m_vocabulary.tokens[static_cast<std::size_t>(id)].kind = TokenKind::Control; }

    void findPartsByText() {
        for (const VocabularyPart& part : parts) {
            TokenId& id = m_vocabulary.special.*part.id;
            for (const std::string_view spelled : part.texts) {
                if (id != noToken) break;
                id = m_vocabulary.find(spelled);
                if (id != noToken) makeControl(id);
            }
        }
    }

    void setKind(Words spelled, TokenKind kind) {
        for (const std::string_view text : spelled)
            if (const TokenId id = m_vocabulary.find(text); id != noToken)
                m_vocabulary.tokens[static_cast<std::size_t>(id)].kind = kind;
    }

    void findEnds() {
        Vocabulary& v = m_vocabulary;
        auto& ends = v.endOfGeneration;
        for (const TokenId id :
             {v.special.fimPadding, v.special.fimRepository, v.special.fimSeparator, v.special.eos, v.special.eot, v.special.eom})
            if (id != noToken) ends.insert(id);
        for (const std::string_view spelled : endTexts)
            if (const TokenId id = v.find(spelled); id != noToken) ends.insert(id);
        for (const TokenId id : ends) makeControl(id);
        const auto has = [&](std::string_view spelled) { return v.find(spelled) != noToken; };
        const bool isHarmony =
            (has("<|return|>") && has("<|call|>")) || (has("<|flush|>") && (has("<|calls|>") || has("<|call|>")));
        if (isHarmony && has("<|end|>")) {
            ends.erase(v.find("<|end|>"));
            setKind({"<|end|>"}, TokenKind::UserDefined);
        }
        if (has("<|tool_response>") && has("</s>")) {
            ends.erase(v.find("</s>"));
            setKind({"</s>"}, TokenKind::Normal);
        }
        setKind({"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"}, TokenKind::UserDefined);
        for (Token& token : v.tokens)
            if (token.kind == TokenKind::Control && token.text.find("unused") != std::string::npos) token.kind = TokenKind::Unused;
    }

    // A family's rule is for its architecture, or for models whose general.name has one of these parts.
    bool hasStripping(const arch::Family& family) const {
        const arch::TokenStripping& rule = family.stripping;
        if (rule.nameParts[0].empty()) return m_model.architecture.value_or("") == family.architecture;
        const Value* const stored = m_model.metadata.find("general.name");
        const std::string name = ascii::lowered(stored && stored->string() ? *stored->string() : std::string());
        return std::ranges::any_of(
            rule.nameParts, [&name](std::string_view part) { return !part.empty() && name.find(part) != std::string::npos; });
    }

    Token* findToken(std::string_view spelled) {
        const TokenId id = m_vocabulary.find(spelled);
        return id == noToken ? nullptr : &m_vocabulary.tokens[static_cast<std::size_t>(id)];
    }

    void stripAfterSpecial() {
        for (Token& token : m_vocabulary.tokens)
            token.stripRight =
                token.kind == TokenKind::Control || token.kind == TokenKind::UserDefined || token.kind == TokenKind::Unknown;
        if (Token* const end = findToken("</s>")) end->stripRight = true;
        for (const std::string_view spelled : {"<unk>", "<s>", "<|endoftext|>"})
            if (Token* const token = findToken(spelled)) token->stripRight = false;
    }

    void stripBefore(std::string_view mask) {
        if (Token* const token = findToken(mask)) token->stripLeft = true;
    }

    void markStripping() {
        for (const arch::Family& family : arch::families()) {
            const arch::StripKind kind = family.stripping.kind;
            if (kind == arch::StripKind::None || !hasStripping(family)) continue;
            if (kind == arch::StripKind::AfterSpecial) stripAfterSpecial();
            else stripBefore(family.stripping.mask);
        }
        if (hasTrait(m_vocabulary.pre, PreTrait::StripsBeforeMask)) stripBefore("<mask>");
    }

    const Model& m_model;
    const VocabularyOptions& m_options;
    std::string m_file;
    Vocabulary m_vocabulary;
};

} // namespace

TokenId Vocabulary::byteToken(unsigned char byte) const {
    if (const TokenId id = find(fmt::format("<0x{:02X}>", byte)); id != noToken) return id;
    const char alone = static_cast<char>(byte);
    return find(std::string_view(&alone, 1));
}

Result<std::shared_ptr<const Vocabulary>> readVocabulary(const Model& model, const VocabularyOptions& options) {
    return VocabularyReader(model, options).read();
}

} // namespace wb::text
