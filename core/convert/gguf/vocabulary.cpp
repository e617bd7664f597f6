// SPDX-License-Identifier: MIT
#include "core/convert/gguf/vocabulary.h"

#include "core/arch/model_spec.h"
#include "core/convert/gguf/sentencepiece.h"
#include "core/convert/gguf/tokenizer_json.h"
#include "core/text/pretokenizer.h"
#include "core/text/splitting_rule.h"
#include "core/text/tokenizer_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

namespace wb::convert {
namespace {

// tokenizer.ggml.token_type.
enum Kind : std::int32_t { normalKind = 1, controlKind = 3, userDefinedKind = 4, unusedKind = 5, byteKind = 6 };

constexpr float paddingScore = -10'000, addedScore = -1'000;

struct Tokens {
    std::vector<std::string> texts;
    std::vector<float> scores;
    std::vector<std::int32_t> kinds;

    explicit Tokens(std::uint64_t size) : scores(size, paddingScore), kinds(size, unusedKind) {
        texts.reserve(size);
        for (std::uint64_t i = 0; i < size; ++i) texts.push_back(fmt::format("[PAD{}]", i));
    }
    void set(std::size_t id, std::string text, float score, std::int32_t kind) {
        texts[id] = std::move(text);
        scores[id] = score;
        kinds[id] = kind;
    }
};

std::string withBlanks(std::string_view token) {
    constexpr std::string_view mark = "\u2581";
    std::string text;
    for (std::size_t at = token.find(mark); at != std::string_view::npos; at = token.find(mark)) {
        text += token.substr(0, at);
        text += ' ';
        token.remove_prefix(at + mark.size());
    }
    text += token;
    return text;
}

// Added tokens steer the model or are found whole in any text.
std::int32_t kindOfAdded(bool special, std::string_view text) {
    return special || looksSpecial(text) ? controlKind : userDefinedKind;
}

void addTokenList(const Tokens& tokens, bool scores, PairList& pairs) {
    pairs.texts("tokenizer.ggml.tokens", tokens.texts, Origin::Tokenizer);
    if (scores) pairs.numbers("tokenizer.ggml.scores", tokens.scores, Origin::Tokenizer);
    pairs.numbers("tokenizer.ggml.token_type", tokens.kinds, Origin::Tokenizer);
}

std::optional<std::uint64_t> idFromDigits(std::string_view digits) {
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(id) : std::nullopt;
}

void addNamedTokens(const SourceFolder& folder, Tokens& tokens) {
    for (const Member& member : folder.addedTokens.members) {
        const auto id = member.value.unsignedNumber();
        if (id && *id < tokens.texts.size()) tokens.set(*id, member.key, addedScore, userDefinedKind);
    }
    const Value* const decoder = findSet(folder.tokenizerConfig, "added_tokens_decoder");
    if (!decoder || !decoder->object()) return;
    for (const Member& member : decoder->object()->members) {
        const auto id = idFromDigits(member.key);
        const ValueObject* const token = member.value.object();
        if (!id || *id >= tokens.texts.size() || !token) continue;
        const Value* const special = findSet(*token, "special");
        const bool* const isSpecial = special ? std::get_if<bool>(&special->data) : nullptr;
        const std::string_view text = memberText(*token, "content");
        const std::int32_t kind = kindOfAdded(isSpecial && *isSpecial, text);
        tokens.set(*id, kind == controlKind ? std::string(text) : withBlanks(text), addedScore, kind);
    }
}

// Its algorithm cuts no text beforehand; the name is for the file alone.
Result<void> addSentencePiece(const SourceFolder& folder, const FolderRules& rules, std::uint64_t size, const std::string& pre,
                              PairList& pairs) {
    WB_TRY_ASSIGN(std::vector<Piece> pieces, readSentencePiece(*folder.tokenizerModel, "tokenizer.model"));
    Tokens tokens(size > 0 ? size : pieces.size());
    for (std::size_t id = 0; id < std::min(pieces.size(), tokens.texts.size()); ++id) {
        // The reference takes for user-defined only what is added next to the model (convert_hf_to_gguf.py).
        const std::int32_t kind = pieces[id].kind == userDefinedKind ? normalKind : pieces[id].kind;
        tokens.set(id, std::move(pieces[id].text), pieces[id].score, kind);
    }
    addNamedTokens(folder, tokens);
    pairs.text("tokenizer.ggml.model", text::tokenizer_model::spm, Origin::Tokenizer);
    pairs.text("tokenizer.ggml.pre", pre.empty() ? "default" : pre, pre.empty() ? Origin::Tokenizer : Origin::Option);
    addTokenList(tokens, true, pairs);
    return addSpecialTokens(folder, rules.tokens, tokens.texts.size(), pairs);
}

Result<std::string> folderPreTokenizer(const SourceFolder& folder, const TokenizerJson& tokenizer, const std::string& chosen) {
    if (!chosen.empty()) {
        WB_TRY(text::PreTokenizer::find(chosen));
        return chosen;
    }
    WB_TRY_ASSIGN(const auto expressions, splitExpressions(tokenizer.preTokenizer));
    const std::string_view rule = text::splittingRule(expressions);
    const arch::ModelType* const type = arch::findModelType(memberText(folder.config, "model_type")).type;
    if (type && !rule.empty() && type->preTokenizer.rule == rule) return std::string(type->preTokenizer.name);
    if (const std::string_view usual = text::usualPreTokenizer(rule); !usual.empty()) return std::string(usual);
    return fail(ErrorCode::Unsupported, unknownPreTokenizer, About{"tokenizer.json"},
                WB_TEXT("The pre-tokenizer of tokenizer.json is unknown; choose the pre-tokenizer of a model that splits text the "
                        "same way, such as llama-bpe, qwen2 or gpt-2."));
}

// `size` is at most maxTokens.
Result<Tokens> bpeTokens(const TokenizerJson& tokenizer, std::uint64_t size) {
    std::uint64_t last = 0;
    for (const auto& [text, id] : tokenizer.vocabulary) last = std::max(last, id);
    for (const AddedToken& token : tokenizer.added) last = std::max(last, token.id);
    if (tokenizer.vocabulary.empty() || last >= size)
        return fail(ErrorCode::Malformed, Reason("convert.token_id"), About{"tokenizer.json"},
                    WB_TEXT("The token IDs of tokenizer.json exceed the vocabulary size {} stated in config.json."), size);
    Tokens tokens(size);
    for (const auto& [text, id] : tokenizer.vocabulary) tokens.set(id, text, 0, normalKind);
    for (const AddedToken& token : tokenizer.added) {
        const std::int32_t kind = kindOfAdded(token.special, token.content);
        tokens.set(token.id, kind == controlKind ? token.content : withBlanks(token.content), 0, kind);
    }
    return tokens;
}

Result<TokenizerJson> readBpe(const SourceFolder& folder) {
    WB_TRY_ASSIGN(TokenizerJson tokenizer, parseTokenizerJson(*folder.tokenizerJson, "tokenizer.json"));
    if (tokenizer.modelType == "BPE") return tokenizer;
    return fail(ErrorCode::Unsupported, Reason("convert.vocabulary_kind"), About{"tokenizer.json"},
                WB_TEXT("tokenizer.json has a {} vocabulary; only BPE can be converted."),
                tokenizer.modelType.empty() ? "nameless" : tokenizer.modelType);
}

// "<0x0A>": the token of one byte.
bool isByteToken(std::string_view text) {
    return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
           text.substr(3, 2).find_first_not_of("0123456789ABCDEFabcdef") == std::string_view::npos;
}

// A special token is a text, or an object that has it as its content.
void addSpecialText(const Value& token, std::set<std::string, std::less<>>& texts) {
    if (token.string()) texts.insert(*token.string());
    else if (token.object()) texts.emplace(memberText(*token.object(), "content"));
}

// The tokens that tokenizer_config.json gives a part to play.
std::set<std::string, std::less<>> specialTexts(const SourceFolder& folder) {
    std::set<std::string, std::less<>> texts;
    for (const char* const member : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
        if (const Value* const token = findSet(folder.tokenizerConfig, member)) addSpecialText(*token, texts);
    for (const char* const member : {"additional_special_tokens", "extra_special_tokens"}) {
        const Value* const list = findSet(folder.tokenizerConfig, member);
        if (!list || !list->array()) continue;
        for (const Value& token : list->array()->first) addSpecialText(token, texts);
    }
    return texts;
}

// A SentencePiece vocabulary of which there is tokenizer.json alone: it has no scores, so all get the same one, and nothing pads it
// (LlamaHfVocab of the reference).
Result<void> addScoreless(const SourceFolder& folder, const FolderRules& rules, const TokenizerJson& tokenizer,
                          const std::string& pre, PairList& pairs) {
    const auto special = specialTexts(folder);
    std::uint64_t size = tokenizer.vocabulary.size();
    for (const AddedToken& token : tokenizer.added) size = std::max(size, token.id + 1);
    if (size > maxTokens + tokenizer.vocabulary.size())
        return fail(ErrorCode::Malformed, Reason("convert.token_id"), About{"tokenizer.json"},
                    WB_TEXT("The token IDs of tokenizer.json exceed the vocabulary size {} stated in config.json."),
                    tokenizer.vocabulary.size());
    WB_TRY_ASSIGN(Tokens tokens, bpeTokens(tokenizer, size));
    std::ranges::fill(tokens.scores, addedScore);
    for (const auto& [text, id] : tokenizer.vocabulary)
        tokens.set(id, text, addedScore, isByteToken(text) ? byteKind : special.contains(text) ? controlKind : normalKind);
    for (const AddedToken& token : tokenizer.added)
        if (token.id >= tokenizer.vocabulary.size())
            tokens.set(token.id, token.content, addedScore, special.contains(token.content) ? controlKind : userDefinedKind);
    pairs.text("tokenizer.ggml.model", text::tokenizer_model::spm, Origin::Tokenizer);
    pairs.text("tokenizer.ggml.pre", pre.empty() ? "default" : pre, pre.empty() ? Origin::Tokenizer : Origin::Option);
    addTokenList(tokens, true, pairs);
    return addSpecialTokens(folder, rules.tokens, tokens.texts.size(), pairs);
}

Result<void> addBpe(const SourceFolder& folder, const FolderRules& rules, std::uint64_t size, const std::string& pre,
                    PairList& pairs) {
    WB_TRY_ASSIGN(const TokenizerJson tokenizer, readBpe(folder));
    if (rules.sentencePieceHints && tokenizer.byteFallback) return addScoreless(folder, rules, tokenizer, pre, pairs);
    WB_TRY_ASSIGN(const std::string name, folderPreTokenizer(folder, tokenizer, pre));
    WB_TRY_ASSIGN(const Tokens tokens, bpeTokens(tokenizer, size));
    pairs.text("tokenizer.ggml.model", text::tokenizer_model::bpe, Origin::Tokenizer);
    pairs.text("tokenizer.ggml.pre", name, pre.empty() ? Origin::Tokenizer : Origin::Option);
    addTokenList(tokens, false, pairs);
    if (!tokenizer.merges.empty()) pairs.texts("tokenizer.ggml.merges", tokenizer.merges, Origin::Tokenizer);
    return addSpecialTokens(folder, rules.tokens, tokens.texts.size(), pairs);
}

// The tokens that delimit a chat's channels and tool calls, shown though the tokenizer calls them special (conversion/gemma.py of
// the reference).
bool isShown(std::string_view text) {
    constexpr std::array<std::string_view, 7> shown = {"<|channel>",       "<channel|>",       "<|tool_call>", "<tool_call|>",
                                                       "<|tool_response>", "<tool_response|>", "<|\"|>"};
    return std::ranges::find(shown, text) != shown.end();
}

// Every token with the same score; of the added ones only those beyond the vocabulary itself are user-defined.
Result<void> addScoredBpe(const SourceFolder& folder, const FolderRules& rules, std::uint64_t size, PairList& pairs) {
    WB_TRY_ASSIGN(const TokenizerJson tokenizer, readBpe(folder));
    WB_TRY_ASSIGN(Tokens tokens, bpeTokens(tokenizer, size));
    for (const auto& [text, id] : tokenizer.vocabulary) tokens.set(id, text, addedScore, isByteToken(text) ? byteKind : normalKind);
    for (const AddedToken& token : tokenizer.added) {
        const bool isOwn = std::ranges::find(tokenizer.vocabulary, token.id, [](const auto& entry) { return entry.second; }) ==
                           tokenizer.vocabulary.end();
        if (token.special) tokens.set(token.id, token.content, addedScore, controlKind);
        else if (isOwn) tokens.set(token.id, token.content, addedScore, userDefinedKind);
        if (isShown(token.content)) tokens.kinds[token.id] = userDefinedKind;
    }
    pairs.text("tokenizer.ggml.model", text::tokenizer_model::scoredBpe, Origin::Tokenizer);
    addTokenList(tokens, true, pairs);
    if (!tokenizer.merges.empty()) pairs.texts("tokenizer.ggml.merges", tokenizer.merges, Origin::Tokenizer);
    return addSpecialTokens(folder, rules.tokens, tokens.texts.size(), pairs);
}

} // namespace

bool looksSpecial(std::string_view token) {
    constexpr std::array<std::string_view, 4> whole = {"<pad>", "<mask>", "<2mass>", "[@BOS@]"};
    const auto between = [token](std::string_view begin, std::string_view end) {
        return token.starts_with(begin) && token.ends_with(end);
    };
    return std::ranges::find(whole, token) != whole.end() || between("<|", "|>") || between("<\uFF5C", "\uFF5C>") ||
           between("<unused", ">");
}

Result<void> addVocabulary(const SourceFolder& folder, const FolderRules& rules, std::uint64_t size, const std::string& pre,
                           PairList& pairs) {
    if (size > maxTokens)
        return fail(ErrorCode::TooLarge, Reason("convert.tokens"), About{"config.json"},
                    WB_TEXT("config.json declares a vocabulary of {} tokens; at most {} can be converted."), size, maxTokens);
    if (rules.vocabulary == VocabularyKind::ScoredBpe && folder.tokenizerJson) return addScoredBpe(folder, rules, size, pairs);
    if (folder.tokenizerModel) return addSentencePiece(folder, rules, size, pre, pairs);
    if (folder.tokenizerJson) return addBpe(folder, rules, size, pre, pairs);
    return fail(ErrorCode::NotFound, Reason("convert.no_tokenizer"), About{"tokenizer.json"},
                WB_TEXT("The folder has neither tokenizer.model nor tokenizer.json, so there is no vocabulary to convert."));
}

} // namespace wb::convert
