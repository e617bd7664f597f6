// SPDX-License-Identifier: MIT
#include "core/convert/gguf/family_table.h"

#include "core/convert/gguf/family_lists.h"

namespace wb::convert {
namespace {

constexpr std::string_view llamaClasses[] = {"LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM"};
constexpr std::string_view mixtralClasses[] = {"MixtralForCausalLM"};
constexpr std::string_view mistral3Classes[] = {"Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"};
constexpr std::string_view smollm3Classes[] = {"SmolLM3ForCausalLM"};
constexpr std::string_view graniteClasses[] = {"GraniteForCausalLM"};
constexpr std::string_view graniteMoeClasses[] = {"GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"};
constexpr std::string_view qwen2Classes[] = {"Qwen2ForCausalLM"};
constexpr std::string_view qwen2moeClasses[] = {"Qwen2MoeForCausalLM"};
constexpr std::string_view qwen3Classes[] = {"Qwen3ForCausalLM"};
constexpr std::string_view qwen3moeClasses[] = {"Qwen3MoeForCausalLM"};
constexpr std::string_view gemmaClasses[] = {"GemmaForCausalLM"};
constexpr std::string_view gemma2Classes[] = {"Gemma2ForCausalLM"};
constexpr std::string_view gemma3Classes[] = {"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"};
constexpr std::string_view gemma4Classes[] = {"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration"};
constexpr std::string_view phi2Classes[] = {"PhiForCausalLM"};
constexpr std::string_view phi3Classes[] = {"Phi3ForCausalLM"};
constexpr std::string_view gpt2Classes[] = {"GPT2LMHeadModel"};
constexpr std::string_view gptOssClasses[] = {"GptOssForCausalLM"};
constexpr std::string_view glm4Classes[] = {"Glm4ForCausalLM"};
constexpr std::string_view glm4moeClasses[] = {"Glm4MoeForCausalLM"};
constexpr std::string_view cohereClasses[] = {"CohereForCausalLM"};
constexpr std::string_view cohere2Classes[] = {"Cohere2ForCausalLM"};
constexpr std::string_view exaone4Classes[] = {"Exaone4ForCausalLM"};
constexpr std::string_view olmo2Classes[] = {"Olmo2ForCausalLM"};
constexpr std::string_view olmo3Classes[] = {"Olmo3ForCausalLM"};
constexpr std::string_view starcoder2Classes[] = {"Starcoder2ForCausalLM"};
constexpr std::string_view stablelmClasses[] = {"StableLmForCausalLM", "StableLMEpochForCausalLM"};

using enum PairKind;

constexpr PairRule noSpacePrefix = {Truth, "tokenizer.ggml.add_space_prefix", {}, false, 0};
constexpr PairRule gemmaTokenizer[] = {{Number, "tokenizer.ggml.eot_token_id", {}, false, 107}, noSpacePrefix};
constexpr PairRule gemma2Tokenizer[] = {noSpacePrefix};
constexpr PairRule gemma4Tokenizer[] = {noSpacePrefix, {Truth, "tokenizer.ggml.add_bos_token", {}, false, 1}};

constexpr ExtraToken glmTokens[] = {
    {"eos", "<|endoftext|>"}, {"eot", "<|user|>"}, {"unk", "<|endoftext|>"}, {"bos", "<|endoftext|>"}};
constexpr ExtraToken glmMoeTokens[] = {
    {"eos", "<|endoftext|>"}, {"eot", "<|user|>"}, {"unk", "<|endoftext|>"}, {"bos", "<|endoftext|>"}, {"eom", "<|observation|>"}};

// The families whose blocks are those of llama and what came from it.
std::array<ConvertFamily, 6> llamas() {
    const ConvertFamily llama{.classes = llamaClasses,
                              .architecture = "llama",
                              .layer = layers::dense,
                              .own = own::llama,
                              .permutes = true,
                              .isLlama = true};
    const auto like = [&llama](std::span<const std::string_view> classes, std::string_view architecture,
                               std::span<const NameRule> layer, std::span<const PairRule> pairs, bool ignoresHeadLength) {
        ConvertFamily family = llama;
        family.classes = classes;
        family.architecture = architecture;
        family.layer = layer;
        family.own = pairs;
        family.ignoresHeadLength = ignoresHeadLength;
        return family;
    };
    return {{llama, like(mixtralClasses, "llama", layers::mixtral, own::llama, false),
             like(mistral3Classes, "mistral3", layers::dense, own::ministral3, false),
             like(smollm3Classes, "smollm3", layers::dense, own::llama, false),
             like(graniteClasses, "granite", layers::dense, own::granite, true),
             like(graniteMoeClasses, "granitemoe", layers::graniteMoe, own::graniteMoe, true)}};
}

std::array<ConvertFamily, 21> others() {
    return {{
        {.classes = qwen2Classes, .architecture = "qwen2", .layer = layers::dense, .own = {}},
        {.classes = qwen2moeClasses, .architecture = "qwen2moe", .layer = layers::qwen2moe, .own = own::qwen2moe},
        {.classes = qwen3Classes, .architecture = "qwen3", .layer = layers::denseHeadNorms, .own = {}},
        {.classes = qwen3moeClasses, .architecture = "qwen3moe", .layer = layers::qwen3moe, .own = own::qwen3moe},
        {.classes = gemmaClasses,
         .architecture = "gemma",
         .layer = layers::gemma,
         .own = {},
         .outer = outers::gemma,
         .first = pairs::gemma,
         .tokenizer = gemmaTokenizer,
         .dropsHead = true},
        {.classes = gemma2Classes,
         .architecture = "gemma2",
         .layer = layers::gemma2,
         .own = own::gemma2,
         .outer = outers::gemma,
         .first = pairs::gemma,
         .tokenizer = gemma2Tokenizer,
         .dropsHead = true},
        {.classes = gemma3Classes,
         .architecture = "gemma3",
         .layer = layers::gemma3,
         .own = own::gemma3,
         .outer = outers::gemma3,
         .first = pairs::gemma3,
         .tokenizer = gemma2Tokenizer},
        {.classes = gemma4Classes,
         .architecture = "gemma4",
         .layer = layers::gemma4,
         .own = own::gemma4,
         .outer = outers::gemma4,
         .tokenizer = gemma4Tokenizer,
         .vocabulary = VocabularyKind::Gemma4},
        {.classes = phi2Classes,
         .architecture = "phi2",
         .layer = layers::phi2,
         .own = own::phi2,
         .outer = outers::phi2,
         .first = pairs::phi2},
        {.classes = phi3Classes, .architecture = "phi3", .layer = layers::phi3, .own = own::phi3, .first = pairs::phi3},
        {.classes = gpt2Classes,
         .architecture = "gpt2",
         .layer = layers::gpt2,
         .own = {},
         .outer = outers::gpt2,
         .first = pairs::gpt2,
         .layerPrefix = "h."},
        {.classes = gptOssClasses, .architecture = "gpt-oss", .layer = layers::gptOss, .own = own::gptOss},
        {.classes = glm4Classes, .architecture = "glm4", .layer = layers::glm4, .own = own::glm4, .tokens = glmTokens},
        {.classes = glm4moeClasses,
         .architecture = "glm4moe",
         .layer = layers::glm4moe,
         .own = own::glm4moe,
         .first = pairs::glm4moe,
         .tokens = glmMoeTokens},
        {.classes = cohereClasses,
         .architecture = "command-r",
         .layer = layers::cohere,
         .own = own::cohere,
         .first = pairs::cohere,
         .dropsHead = true},
        {.classes = cohere2Classes, .architecture = "cohere2", .layer = layers::cohere, .own = own::cohere2, .dropsHead = true},
        {.classes = exaone4Classes, .architecture = "exaone4", .layer = layers::exaone4, .own = own::exaone4, .hasLlama3 = true},
        {.classes = olmo2Classes, .architecture = "olmo2", .layer = layers::olmo2, .own = {}},
        {.classes = olmo3Classes, .architecture = "olmo2", .layer = layers::olmo2, .own = own::olmo3},
        {.classes = starcoder2Classes, .architecture = "starcoder2", .layer = layers::starcoder2, .own = {}},
        {.classes = stablelmClasses, .architecture = "stablelm", .layer = layers::stablelm, .own = {}, .first = pairs::stablelm},
    }};
}

const auto& table() {
    static const auto families = joined(llamas(), others());
    return families;
}

} // namespace

const char* transformName(Transform transform) {
    switch (transform) {
    case Transform::Copy: return "copy";
    case Transform::PermuteQueries:
    case Transform::PermuteKeys: return "permute";
    case Transform::Stack:
    case Transform::StackHeads: return "stack";
    case Transform::AddOne: return "add_one";
    case Transform::Transpose: return "transpose";
    case Transform::CutRows: return "truncate_rows";
    case Transform::FirstHalf: return "first_half";
    case Transform::SecondHalf: return "second_half";
    case Transform::EvenColumns: return "even_columns";
    case Transform::OddColumns: return "odd_columns";
    case Transform::Repack: return "repack";
    case Transform::RepackEvenRows: return "repack_even_rows";
    case Transform::RepackOddRows: break;
    }
    return "repack_odd_rows";
}

const ConvertFamily* familyOfClass(std::string_view modelClass) {
    for (const ConvertFamily& family : table())
        if (std::ranges::find(family.classes, modelClass) != family.classes.end()) return &family;
    return nullptr;
}

std::span<const ConvertFamily> convertFamilies() { return table(); }
std::span<const NameRule> usualOuterRules() { return outers::usual; }
std::span<const PairRule> usualPairs() { return pairs::usual; }

} // namespace wb::convert
