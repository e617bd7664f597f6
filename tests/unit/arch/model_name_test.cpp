// SPDX-License-Identifier: MIT
#include "core/arch/model_name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wb::arch {
namespace {

// The parts that were found, in one line: "family|version|variant|total|active|experts|each|stage|date|quantization|context".
std::string line(const ModelName& name) {
    const auto count = [](const std::optional<std::uint64_t>& value) { return value ? fmt::format("{}", *value) : std::string(); };
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", name.family, name.version, name.variant, count(name.parameters),
                       count(name.activeParameters), count(name.experts), count(name.expertParameters), name.stage, name.date,
                       name.quantization, count(name.context));
}

struct Case {
    const char* name;
    const char* expected;
};

class ModelNames : public testing::TestWithParam<Case> {};

TEST_P(ModelNames, AreReadAsTheirMakersMeanThem) { EXPECT_EQ(line(parseModelName(GetParam().name)), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Known, ModelNames,
    testing::Values(
        Case{"Qwen3-235B-A22B-Instruct-2507", "Qwen|3||235000000000|22000000000|||instruct|2507||"},
        Case{"Qwen3-30B-A3B-Thinking-2507", "Qwen|3||30000000000|3000000000|||thinking|2507||"},
        Case{"Qwen3-Coder-480B-A35B-Instruct-FP8", "Qwen|3|Coder|480000000000|35000000000|||instruct||FP8|"},
        Case{"Qwen3-Next-80B-A3B-Instruct", "Qwen|3|Next|80000000000|3000000000|||instruct|||"},
        Case{"Qwen2.5-7B-Instruct-1M", "Qwen|2.5||7000000000||||instruct|||1048576"},
        Case{"Qwen2.5-VL-7B-Instruct", "Qwen|2.5|VL|7000000000||||instruct|||"},
        Case{"Qwen/Qwen3-0.6B-Base", "Qwen|3||600000000||||base|||"},
        Case{"Meta-Llama-3.1-8B-Instruct-Q4_K_M", "Llama|3.1||8000000000||||instruct||Q4_K_M|"},
        Case{"Meta-Llama-3.1-8B-Instruct.Q4_K_M.gguf", "Llama|3.1||8000000000||||instruct||Q4_K_M|"},
        Case{"/models/Llama-3.3-70B-Instruct-UD-IQ2_XXS-00001-of-00003.gguf", "Llama|3.3|UD|70000000000||||instruct||IQ2_XXS|"},
        Case{"Llama-2-7b-chat-hf", "Llama|2||7000000000||||chat|||"},
        Case{"Llama-4-Scout-17B-16E-Instruct", "Llama|4|Scout||17000000000|16||instruct|||"},
        Case{"Mixtral-8x7B-v0.1", "Mixtral|v0.1||||8|7000000000||||"},
        Case{"Mixtral-8x22B-Instruct-v0.1", "Mixtral|v0.1||||8|22000000000|instruct|||"},
        Case{"Mistral-7B-Instruct-v0.3", "Mistral|v0.3||7000000000||||instruct|||"},
        Case{"Mistral-Nemo-Instruct-2407", "Mistral-Nemo|||||||instruct|2407||"},
        Case{"SmolLM2-135M-Instruct", "SmolLM|2||135000000||||instruct|||"},
        Case{"SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM|2||135000000||||instruct||Q4_1|"},
        Case{"gpt-oss-120b", "gpt-oss|||120000000000|||||||"}, Case{"gpt2", "gpt|2|||||||||"},
        Case{"DeepSeek-R1-Distill-Qwen-32B", "DeepSeek|R1|Distill-Qwen|32000000000|||||||"},
        Case{"DeepSeek-R1-0528", "DeepSeek|R1|||||||0528||"}, Case{"DeepSeek-V3-0324", "DeepSeek|V3|||||||0324||"},
        Case{"Kimi-K2-Instruct-0905", "Kimi|K2||||||instruct|0905||"}, Case{"gemma-3-4b-it", "gemma|3||4000000000||||instruct|||"},
        Case{"gemma-3-27b-it-qat-q4_0", "gemma|3||27000000000||||instruct||qat-q4_0|"},
        Case{"gemma-3n-E4B-it", "gemma|3n|||4000000000|||instruct|||"}, Case{"gemma-2-9b-pt", "gemma|2||9000000000||||base|||"},
        Case{"Phi-3-mini-4k-instruct", "Phi|3|mini|||||instruct|||4096"},
        Case{"Phi-3.5-mini-instruct", "Phi|3.5|mini|||||instruct|||"}, Case{"Phi-4-reasoning-plus", "Phi|4|plus|||||reasoning|||"},
        Case{"OLMo-2-1124-7B-Instruct", "OLMo|2||7000000000||||instruct|1124||"},
        Case{"c4ai-command-r-08-2024", "command-r||||||||2024-08||"},
        Case{"gpt-4o-mini-2024-07-18", "gpt|4o|mini||||||2024-07-18||"},
        Case{"TinyLlama-1.1B-Chat-v1.0-GPTQ", "TinyLlama|v1.0||1100000000||||chat||GPTQ|"},
        Case{"stablelm-2-1_6b", "stablelm|2||1600000000|||||||"}, Case{"GLM-4.5-Air", "GLM|4.5|Air||||||||"},
        Case{"my_own_model", "my-own-model||||||||||"}, Case{"Q4_K_M", "Q4_K_M||||||||||"}, Case{"", "||||||||||"},
        Case{"---", "||||||||||"}, Case{"99999999999999999999B", "99999999999999999999B||||||||||"}));

} // namespace
} // namespace wb::arch
