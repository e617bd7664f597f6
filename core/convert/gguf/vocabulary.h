// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/folder_rules.h"
#include "core/convert/gguf/pair_list.h"
#include "core/convert/source/source_folder.h"

namespace wb::convert {

// Why a vocabulary is refused whose splitting rule is not known; `pre` of the request chooses one.
inline constexpr Reason unknownPreTokenizer = "convert.pre_tokenizer_unknown";

// The pairs of tokenizer.* that the reference writes for this folder, in its order (docs/reference/conversion.md,
// "Writing"): SentencePiece where there is a tokenizer.model, else BPE of tokenizer.json; VocabularyKind::ScoredBpe is always of
// the latter. `pre` is tokenizer.ggml.pre where the caller chose one, else empty. `size` is the vocabulary of config.json.
Result<void> addVocabulary(const SourceFolder& folder, const FolderRules& rules, std::uint64_t size, const std::string& pre,
                           PairList& pairs);

// Special ids, those of `extra` after the others, which of them are added, and chat templates. Ids from `size` on are omitted.
Result<void> addSpecialTokens(const SourceFolder& folder, std::span<const ExtraToken> extra, std::uint64_t size, PairList& pairs);

// Whether a token's text is that of a control token: "<|…|>", "<unused7>", "<pad>" ….
bool looksSpecial(std::string_view token);

} // namespace wb::convert
