// SPDX-License-Identifier: MIT
#include "core/convert/convert/convert_run.h"
#include "core/convert/convert/converted_model.h"
#include "core/convert/convert/tensor_view.h"
#include "core/convert/convert/vocabulary.h"
#include "core/convert/run/work_files.h"
#include "core/io/sha256.h"
#include "core/text/splitting_rule.h"
#include "tests/unit/conversion/folder.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace wb::conversion {
namespace {

namespace fs = std::filesystem;

// What the reference converter writes, byte for byte.
TEST(Convert, EqualsTheReferenceFiles) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const char* const name :
         {"llama",  "llama31",  "llama-k256", "mixtral",       "ministral3", "smollm3",    "granite", "granitemoe",
          "qwen2",  "qwen2moe", "qwen3",      "qwen3-k256",    "qwen3moe",   "gemma",      "gemma2",  "gemma3",
          "gemma4", "phi2",     "phi3",       "phi3-longrope", "gpt2",       "gpt-oss",    "glm4",    "glm4moe",
          "cohere", "cohere2",  "exaone4",    "olmo2",         "olmo3",      "starcoder2", "stablelm"}) {
        const fs::path target = folder.path() / (std::string(name) + ".gguf");
        SCOPED_TRACE(name);
        convertFolder(archFolder(name), target);
        EXPECT_TRUE(test::readFile(target) == test::readFile(archFolder(name).parent_path() / "model.gguf")) << name;
    }
}

// The reference's --outtype.
TEST(Convert, EqualsTheReferenceOutTypes) {
    WB_NEED_SHARED("golden/convert_outtypes");
    const test::TemporaryFolder folder;
    const std::pair<const char*, gguf::FileType> types[] = {{"f32", gguf::FileType::F32},     {"f16", gguf::FileType::F16},
                                                            {"bf16", gguf::FileType::BF16},   {"q8_0", gguf::FileType::Q8_0},
                                                            {"tq1_0", gguf::FileType::TQ1_0}, {"tq2_0", gguf::FileType::TQ2_0}};
    for (const std::string name : {"llama-k256", "qwen3-k256", "mixtral", "gemma3", "gemma4", "gpt-oss"}) {
        std::ifstream golden(test::shared() / "golden/convert_outtypes" / (name + ".json"));
        const auto expected = nlohmann::json::parse(golden)["outtypes"];
        for (const auto& [word, type] : types) {
            const fs::path target = folder.path() / (name + word + ".gguf");
            convertFolder(archFolder(name), target, {type, "Hf", {}});
            io::Sha256 hash;
            hash.update(test::readFile(target));
            EXPECT_EQ(io::hexText(*hash.finish()), expected[word]["file_sha256"]) << name << " " << word;
        }
    }
}

TEST(Convert, WritesASmallFolder) {
    const SmallFolder small;
    const auto plan = planOf(small.folder.path(), {{}, "Small", {}});
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_EQ(plan->type, gguf::FileType::F16);
    EXPECT_EQ(plan->tensors[1].name, "blk.0.attn_norm.weight");
    EXPECT_EQ(plan->tensors[1].to, Dtype::F32);
    const test::TemporaryFolder folder;
    convertFolder(small.folder.path(), folder.path() / "small.gguf");
    EXPECT_EQ(fs::file_size(folder.path() / "small.gguf") % 32, 0u);
}

// The file that is computed when it is read is the one that would be written, wherever a read begins and ends.
TEST(ConvertedModel, ReadsWhatWouldBeWritten) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const char* const name : {"llama", "mixtral", "gpt2", "gpt-oss", "granitemoe", "gemma"}) {
        auto plan = planOf(archFolder(name));
        ASSERT_TRUE(plan) << plan.error().message();
        const fs::path target = folder.path() / (std::string(name) + ".gguf");
        ASSERT_TRUE(runConvert(*plan, target, {}, {}));
        const auto written = test::readFile(target);
        const auto model = convertedModel(std::make_shared<const ConvertPlan>(std::move(*plan)));
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_GT((*model)->files.size(), 1u);
        const io::ByteSource& source = *(*model)->files.front().source;
        ASSERT_EQ(source.size(), written.size());
        std::vector<std::byte> read(written.size());
        for (std::size_t at = 0, step = 1; at < read.size(); at += step, step = step * 3 % 7919 + 1)
            ASSERT_TRUE(source.readAt(at, std::span(read).subspan(at, std::min(step, read.size() - at))));
        EXPECT_TRUE(std::ranges::equal(read, std::as_bytes(std::span(written)))) << name;
        EXPECT_FALSE(source.readAt(read.size(), std::span(read).first(1)));
    }
}

// A run that was cancelled goes on with what it has written and makes the same file.
TEST(Convert, ResumesToTheSameBytes) {
    const SmallFolder small;
    const auto plan = planOf(small.folder.path(), {{}, "Small", {}});
    ASSERT_TRUE(plan) << plan.error().message();
    const test::TemporaryFolder folder;
    const fs::path whole = folder.path() / "whole.gguf", resumed = folder.path() / "resumed.gguf";
    ASSERT_TRUE(runConvert(*plan, whole, {}, {}));
    std::stop_source stop;
    run::RunOptions options;
    options.threads = 1;
    options.flushBytes = 1;
    const auto cancelled =
        runConvert(*plan, resumed, options, Progress{stop.get_token(), [&stop](std::uint64_t done, std::uint64_t total) {
                                                         if (done * 2 > total) stop.request_stop();
                                                     }});
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(fs::exists(resumed));
    EXPECT_TRUE(fs::exists(run::journalPath(resumed)));
    const auto outcome = runConvert(*plan, resumed, options, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_GT(outcome->resumedItems, 0u);
    EXPECT_TRUE(test::readFile(whole) == test::readFile(resumed));
}

// What later parts of this program will convert says what it is that keeps it from being converted now.
TEST(Convert, NamesWhatIsNotConvertedYet) {
    WB_NEED_SHARED("arch");
    const std::pair<const char*, const char*> refused[] = {{"deepseek2-lite", "latent attention"},
                                                           {"deepseek3", "latent attention"},
                                                           {"granitehybrid", "Mamba-2"},
                                                           {"nemotron_h", "Mamba-2"},
                                                           {"lfm2", "short convolution"},
                                                           {"qwen35", "delta rule"},
                                                           {"qwen3next", "delta rule"}};
    for (const auto& [name, word] : refused) {
        const auto plan = planOf(archFolder(name));
        ASSERT_FALSE(plan) << name;
        EXPECT_EQ(plan.error().reason, unknownFamily);
        EXPECT_NE(plan.error().message().find(word), std::string::npos) << plan.error().message();
    }
}

// Transposed, halved and taken every second, of a tensor small enough to see.
TEST(View, ReadsTheSameBytesInAnotherOrder) {
    const auto strides = [](std::vector<std::uint64_t> shape, Transform transform, std::uint64_t rows = 0) {
        TensorInfo tensor;
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make(shape);
        tensor.source = TensorSource::stored(0, 100, 4 * tensor.shape.elements());
        const auto view = viewOf(tensor, transform, rows);
        return view ? fmt::format("{} {} {}", view->shape.toString(), fmt::join(view->source.strides(), ","), *view->offset())
                    : std::string(view.error().reason.id());
    };
    EXPECT_EQ(strides({3, 4}, Transform::Transpose), "[4, 3] 1,4 100");
    EXPECT_EQ(strides({3, 4}, Transform::CutRows, 2), "[2, 4] 4,1 100");
    EXPECT_EQ(strides({2, 6, 5}, Transform::FirstHalf), "[2, 3, 5] 30,5,1 100");
    EXPECT_EQ(strides({2, 6, 5}, Transform::SecondHalf), "[2, 3, 5] 30,5,1 160");
    EXPECT_EQ(strides({2, 6}, Transform::OddColumns), "[2, 3] 6,2 104");
    EXPECT_EQ(strides({2, 5, 3}, Transform::FirstHalf), "convert.view");
    EXPECT_EQ(strides({3, 4}, Transform::CutRows, 4), "convert.view");
}

struct Refusal {
    const char* file;
    const char* from; // in that file …
    const char* to;   // … becomes this
    const char* reason;
    const char* word; // that the sentence contains
};

TEST(Convert, RefusesWhatItCannotConvert) {
    const Refusal refusals[] = {
        {"config.json", "LlamaForCausalLM", "MysteryForCausalLM", "convert.unknown_family", "MysteryForCausalLM"},
        {"config.json", "\"max_position_embeddings\"", "\"unused\"", "convert.config_missing", "max_position_embeddings"},
        {"config.json", "\"intermediate_size\": 16", "\"intermediate_size\": 24", "convert.shape", "mlp.down_proj"},
        {"config.json", "\"vocab_size\": 8", "\"vocab_size\": 7", "convert.shape", "embed_tokens"},
        {"config.json", "\"hidden_size\": 8", "\"hidden_size\": \"8\"", "convert.config_number", "hidden_size"},
        {"config.json", "\"tie_word", "\"quantization_config\": {\"quant_method\": \"gptq\"}, \"tie_word",
         "convert.quantized_source", "gptq"},
        {"model.safetensors", "layers.1.mlp.up_proj.weight", "layers.1.mlp.xx_proj.weight", "convert.unmapped_tensor", "xx_proj"},
        {"model.safetensors", "layers.1.post_attention_layernorm.weight", "layers.1.rotary_emb.inv_freq", "convert.missing_tensor",
         "post_attention_layernorm"},
        {"tokenizer.json", "ByteLevel", "Whitespace", "convert.pre_tokenizer_kind", "tokenizer.json"},
        {"tokenizer.json", "\"type\":\"ByteLevel\",\"use_regex\":true", "\"type\":\"Split\",\"pattern\":{\"Regex\":\"x+\"}",
         "convert.pre_tokenizer_unknown", "tokenizer.json"},
        {"tokenizer.json", "\"abc\":4", "\"abc\":9", "convert.token_id", "tokenizer.json"},
        {"tokenizer.json", "\"abc\":4", "\"abc\":-4", "convert.tokenizer_json", "tokenizer.json"},
        {"tokenizer.json", "\"BPE\"", "\"Unigram\"", "convert.vocabulary_kind", "Unigram"},
        {"tokenizer.json", "\"ab c\"]", "\"ab c\"", "huggingface.companion", "tokenizer.json"},
    };
    for (const Refusal& refusal : refusals) {
        bool isEdited = false;
        const SmallFolder small([&](const std::string& name, std::string& text) {
            const std::size_t at = name == refusal.file ? text.find(refusal.from) : std::string::npos;
            if (at == std::string::npos) return;
            const std::string_view from = refusal.from, to = refusal.to;
            text.replace(at, from.size(), to);
            if (name == "model.safetensors") { // the header keeps its length by blanks at its end
                std::uint64_t length = 0;
                std::memcpy(&length, text.data(), sizeof length);
                ASSERT_LE(to.size(), from.size());
                text.insert(8 + length - (from.size() - to.size()), from.size() - to.size(), ' ');
            }
            isEdited = true;
        });
        ASSERT_TRUE(isEdited) << refusal.reason;
        const auto plan = planOf(small.folder.path());
        ASSERT_FALSE(plan) << refusal.reason;
        EXPECT_STREQ(plan.error().reason.id(), refusal.reason) << plan.error().message();
        EXPECT_NE(plan.error().message().find(refusal.word), std::string::npos) << plan.error().message();
    }
}

TEST(Convert, RefusesATruncatedFile) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name == "model.safetensors") text.resize(text.size() - 10);
    });
    EXPECT_FALSE(planOf(small.folder.path()));
}

TEST(Convert, TakesThePreTokenizerThatIsChosen) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name == "tokenizer.json") text.replace(text.find("ByteLevel"), 9, "Whitespace");
    });
    EXPECT_TRUE(planOf(small.folder.path(), {{}, {}, "llama-bpe"}));
    EXPECT_FALSE(planOf(small.folder.path(), {{}, {}, "no-such-rule"}));
}

// As the reference has it, though SentencePiece calls this one user-defined; ids that no piece has are unused.
TEST(Convert, WritesUserDefinedPiecesAsNormalOnes) {
    const SmallFolder small;
    small.folder.file("tokenizer.model", std::string_view("\x0a\x06\x0a\x02"
                                                          "ab\x18\x04",
                                                          8));
    const auto plan = planOf(small.folder.path());
    ASSERT_TRUE(plan) << plan.error().message();
    const auto pair = std::ranges::find(plan->pairs, "tokenizer.ggml.token_type", [](const auto& p) { return p.stored.key; });
    ASSERT_NE(pair, plan->pairs.end());
    std::int32_t kinds[8];
    std::memcpy(kinds, &pair->stored.bytes[pair->stored.bytes.size() - sizeof kinds], sizeof kinds);
    EXPECT_EQ(kinds[0], 1);
    EXPECT_EQ(kinds[1], 5);
}

// F16 cannot hold what BF16 can; the report says how many.
TEST(Convert, CountsWhatLeavesTheRange) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name != "model.safetensors") return;
        std::uint64_t length = 0;
        std::memcpy(&length, text.data(), sizeof length);
        std::string header = text.substr(8, length);
        for (std::size_t at = header.find("F16"); at != std::string::npos; at = header.find("F16", at + 4)) header.insert(at, "B");
        header.resize((header.size() + 7) / 8 * 8, ' ');
        const std::string data = text.substr(8 + length);
        length = header.size();
        text = std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
        text[8 + header.size() + 1] = 0x7E; // of the first value: 2^125 or more
    });
    const auto plan = planOf(small.folder.path(), {gguf::FileType::F16, {}, {}});
    ASSERT_TRUE(plan) << plan.error().message();
    const test::TemporaryFolder folder;
    const auto outcome = runConvert(*plan, folder.path() / "out.gguf", {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    ASSERT_EQ(outcome->remarks.size(), 1u);
    EXPECT_EQ(outcome->remarks[0].code, Reason("convert.overflow"));
}

TEST(Title, IsWrittenAsTheReferenceDoes) {
    EXPECT_EQ(titleOf("hf"), "Hf");
    EXPECT_EQ(titleOf("tiny-llama-v0.3-1.1b-Chat"), "Tiny Llama v0.3 1.1b Chat");
    EXPECT_EQ(titleOf("--"), "");
}

TEST(SizeLabel, HasTwoDigits) {
    const auto label = [](std::uint64_t elements, std::uint64_t experts) {
        PlannedTensor tensor;
        tensor.name = "blk.0.ffn_up_exps.weight";
        tensor.shape = *Shape::make({elements});
        return sizeLabel({tensor}, experts);
    };
    EXPECT_EQ(label(195'008, 0), "195K");
    EXPECT_EQ(label(1'312'000, 0), "1.3M");
    EXPECT_EQ(label(6'738'000'000, 0), "6.7B");
    EXPECT_EQ(label(8 * 234'000, 8), "8x234K");
}

TEST(SpecialToken, IsKnownByItsText) {
    for (const char* const token : {"<|x|>", "<pad>", "<unused12>", "<｜begin▁of▁sentence｜>"})
        EXPECT_TRUE(looksSpecial(token)) << token;
    for (const char* const token : {"<s>", "word", "<|x", "unused"}) EXPECT_FALSE(looksSpecial(token)) << token;
}

TEST(SplittingRule, IsFoundInEveryNotation) {
    const std::string llama3 =
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    const auto rule = [](std::vector<std::string> expressions) { return text::splittingRule(expressions); };
    EXPECT_EQ(rule({llama3}), "F01");
    EXPECT_EQ(rule({std::string(text::byteLevelExpression)}), "F10");
    EXPECT_EQ(rule({R"(\p{N})", std::string(text::byteLevelExpression)}), "F09");
    EXPECT_EQ(rule({"x+"}), "");
    EXPECT_EQ(rule({}), "");
}

} // namespace
} // namespace wb::conversion
