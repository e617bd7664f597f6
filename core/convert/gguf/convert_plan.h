// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/convert/gguf/pair_list.h"
#include "core/convert/gguf/tensor_plan.h"

#include <filesystem>

// Converting a Hugging Face folder into one GGUF file: the plan says everything that will happen before a tensor byte is read. The
// result equals the reference converter's file (ggml-org/llama.cpp v0.5.0: convert_hf_to_gguf.py; docs/reference/conversion.md,
// "Hugging Face → GGUF" and "Tokenizers").
namespace wb::convert {

inline constexpr Reason unknownFamily = "convert.unknown_family";

struct ConvertRequest {
    std::optional<gguf::FileType> type;                             // of the reference's out-types; empty: automaticType
    std::string modelName;                                          // general.name; empty: from the folder
    std::string preTokenizer;                                       // tokenizer.ggml.pre; empty: recognized
    std::optional<std::string> chatTemplate = {};                   // tokenizer.chat_template; empty: the folder's
    std::vector<std::pair<std::string, std::string>> metadata = {}; // more pairs of texts, by their keys
    bool onlyVocabulary = false;                                    // no tensors, as the reference's --vocab-only
    bool keepsBlocks = false;     // MXFP4 and NVFP4 of a quantized folder stay, as in the reference
    bool isForComparison = false; // what does not fit the family is omitted instead of refused: such a file is never written
};

// The types that the reference converter writes.
std::span<const gguf::FileType> outTypes();

struct ConvertPlan {
    SourceFolder folder;
    gguf::FileType type = gguf::FileType::BF16;
    std::vector<PlannedPair> pairs;     // in file order
    std::vector<PlannedTensor> tensors; // in file order
    std::string header;                 // everything before the tensor data
    std::uint64_t fileBytes = 0;
    std::vector<Problem> problems; // warnings
    bool keepsBlocks = false;      // weights of a quantized folder stay MXFP4 or NVFP4

    std::uint64_t sourceBytes() const; // of the tensors that are read
};

// Refuses a folder of a family that is not known, whose tensors do not fit, or whose splitting rule is not known, in one sentence.
Result<ConvertPlan> planConvert(ModelPtr model, const ConvertRequest& request);

// Places the plan's tensors after a header of the given pairs: fills their offsets, the header and the size of the file.
Result<void> layOut(ConvertPlan& plan, const std::vector<gguf::StoredPair>& pairs);

// The family of the class that config.json names. Unsupported (`unknownFamily`) with the nearest known ones if none exists.
Result<FolderFamily> familyOfConfig(const ValueObject& config);

// A folder's or hub id's name as general.name has it: "llama-2-chat" is "Llama 2 Chat".
std::string titleFromName(std::string_view name);

// general.size_label: "195K", "1.3M", with experts "8x234K".
std::string sizeLabel(const std::vector<PlannedTensor>& tensors, std::uint64_t experts);

} // namespace wb::convert
