// SPDX-License-Identifier: MIT
#include "core/quant/mix/mix.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

// The reference's choices for four real models (golden/quant_type_selection): per file type the default type and every exception.
namespace wb::quant {
namespace {

struct Schema {
    std::map<std::string, std::uint64_t> shape;                                              // n_embd, n_ff, n_vocab, n_layer …
    std::map<std::string, std::pair<std::string, std::map<std::string, std::string>>> files; // type → default, exceptions
};

Schema readSchema(const std::filesystem::path& path) {
    Schema schema;
    std::ifstream in(path);
    std::string current;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first, second;
        if (line.starts_with("# n_embd"))
            for (char& c : line) c = c == ',' || c == '=' || c == '#' ? ' ' : c;
        words.str(line);
        words >> first >> second;
        if (line.find("n_embd ") != std::string::npos) {
            words.clear();
            words.str(line);
            std::uint64_t number = 0;
            while (words >> first >> number) schema.shape[first] = number;
        } else if (first.starts_with('[')) {
            current = first.substr(1, first.size() - 2);
            schema.files[current].first = second;
        } else if (!second.empty() && first != "#") {
            schema.files[current].second[first] = second;
        }
    }
    return schema;
}

void add(Model& model, const std::string& name, std::initializer_list<std::uint64_t> shape) {
    TensorInfo tensor;
    tensor.name = name;
    tensor.dtype = Dtype::F16;
    tensor.shape = *Shape::make(shape);
    model.tensors.push_back(tensor);
}

void addKey(Model& model, const std::string& key, std::uint64_t value) {
    model.metadata.members.push_back({key, Value::ofUnsigned(ValueType::U32, value)});
    ++model.metadata.count;
}

Model schemaModel(const Schema& schema, const std::string& architecture, std::uint64_t head) {
    const auto at = [&](const char* key) { return schema.shape.contains(key) ? schema.shape.at(key) : 0; };
    const std::uint64_t embedding = at("n_embd"), experts = at("n_expert"), heads = at("n_head"), kvHeads = at("n_head_kv");
    Model model;
    model.architecture = architecture;
    addKey(model, architecture + ".block_count", at("n_layer"));
    addKey(model, architecture + ".attention.head_count", heads);
    addKey(model, architecture + ".attention.head_count_kv", kvHeads);
    if (experts > 0) addKey(model, architecture + ".expert_count", experts);
    bool untied = false;
    for (const auto& [type, choices] : schema.files) untied = untied || choices.second.contains("output.weight");
    add(model, "token_embd.weight", {at("n_vocab"), embedding});
    if (untied) add(model, "output.weight", {at("n_vocab"), embedding});
    for (std::uint64_t layer = 0; layer < at("n_layer"); ++layer) {
        const std::string prefix = fmt::format("blk.{}.", layer);
        add(model, prefix + "attn_q.weight", {heads * head, embedding});
        add(model, prefix + "attn_k.weight", {kvHeads * head, embedding});
        add(model, prefix + "attn_v.weight", {kvHeads * head, embedding});
        add(model, prefix + "attn_output.weight", {embedding, heads * head});
        for (const char* part : {"ffn_gate", "ffn_up"}) {
            if (experts > 0) add(model, prefix + part + "_exps.weight", {experts, at("n_ff"), embedding});
            else add(model, prefix + part + ".weight", {at("n_ff"), embedding});
        }
        if (experts > 0) add(model, prefix + "ffn_down_exps.weight", {experts, embedding, at("n_ff")});
        else add(model, prefix + "ffn_down.weight", {embedding, at("n_ff")});
    }
    return model;
}

std::string lower(const char* text) {
    std::string out(text);
    for (char& c : out)
        if (c != 'K') c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

void expectChoices(const Model& model, const std::string& fileTypeName,
                   const std::pair<std::string, std::map<std::string, std::string>>& want) {
    const auto fileType = fileTypeFromName(fileTypeName);
    if (!fileType) return;
    MixOptions options;
    options.fileType = *fileType;
    const auto order = quantizationOrder(model);
    const auto choices = chooseTypes(model, order, options);
    ASSERT_TRUE(choices) << choices.error().message();
    int wrong = 0;
    for (std::size_t i = 0; i < order.size() && wrong < 4; ++i) {
        const std::string& tensor = model.tensors[order[i]].name;
        const auto named = want.second.find(tensor);
        const std::string expected = named == want.second.end() ? want.first : named->second;
        if (lower(name((*choices)[i].type)) == expected) continue;
        ++wrong;
        ADD_FAILURE() << fileTypeName << " " << tensor << ": " << name((*choices)[i].type) << " instead of " << expected;
    }
}

struct Case {
    const char* file;
    const char* architecture;
    std::uint64_t head;
};

class Selection : public testing::TestWithParam<Case> {};

TEST_P(Selection, EqualsTheReference) {
    const std::string path = std::string("golden/quant_type_selection/") + GetParam().file + ".schema";
    WB_NEED_SHARED(path);
    const Schema schema = readSchema(test::shared() / path);
    ASSERT_GT(schema.files.size(), 20u);
    const Model model = schemaModel(schema, GetParam().architecture, GetParam().head);
    ASSERT_GT(model.tensors.size(), 100u);
    for (const auto& [type, choices] : schema.files) expectChoices(model, type, choices);
}

INSTANTIATE_TEST_SUITE_P(RealModels, Selection,
                         testing::Values(Case{"meta-llama-3.1-70b-instruct", "llama", 128}, Case{"qwen3-0.6b", "qwen3", 128},
                                         Case{"gemma-3-4b-it", "gemma3", 256}, Case{"gpt-oss-120b", "gpt-oss", 64}),
                         [](const auto& test) {
                             std::string name = test.param.file;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

// What the snapshots do not show, as llama-quantize chooses it.
Model smallModel(const std::string& architecture, std::uint64_t layers, std::initializer_list<const char*> names) {
    Model model;
    model.architecture = architecture;
    addKey(model, architecture + ".block_count", layers);
    addKey(model, architecture + ".attention.head_count", 8);
    addKey(model, architecture + ".attention.head_count_kv", 4);
    add(model, "output.weight", {256, 256});
    for (const char* name : names) add(model, name, {256, 256});
    return model;
}

Dtype fileTypeChoice(const Model& model, FileType fileType, const std::string& name) {
    MixOptions options;
    options.fileType = fileType;
    const auto order = quantizationOrder(model);
    const auto choices = chooseTypes(model, order, options);
    for (std::size_t i = 0; choices && i < order.size(); ++i)
        if (model.tensors[order[i]].name == name) return (*choices)[i].type;
    return Dtype::Unknown;
}

TEST(SpecialRules, ANameOfFiveLettersCountsAsAWeight) {
    const Model model = smallModel("llama", 1, {"a.b.c", "a.bias", "embed", "weigh.t"});
    EXPECT_EQ(fileTypeChoice(model, FileType::Q8_0, "a.b.c"), Dtype::Q8_0);
    EXPECT_EQ(fileTypeChoice(model, FileType::Q8_0, "embed"), Dtype::Q8_0);
    EXPECT_EQ(fileTypeChoice(model, FileType::Q8_0, "a.bias"), Dtype::F16);
    EXPECT_EQ(fileTypeChoice(model, FileType::Q8_0, "weigh.t"), Dtype::F16);
}

TEST(SpecialRules, Glm5NextKeepsItsSmallParts) {
    const auto names = {"blk.0.attn_q_a.weight", "blk.0.hc_attn_fn.weight", "blk.0.attn_v_b.weight", "blk.0.nextn.eh_proj.weight"};
    const Model own = smallModel("glm5-next", 1, names);
    EXPECT_EQ(fileTypeChoice(own, FileType::Q4_K_M, "blk.0.attn_q_a.weight"), Dtype::Q8_0);
    EXPECT_EQ(fileTypeChoice(own, FileType::Q4_K_M, "blk.0.nextn.eh_proj.weight"), Dtype::Q8_0);
    EXPECT_EQ(fileTypeChoice(own, FileType::Q4_K_M, "blk.0.hc_attn_fn.weight"), Dtype::F16);
    EXPECT_EQ(fileTypeChoice(own, FileType::Q4_K_M, "blk.0.attn_v_b.weight"), Dtype::F16);
    const Model other = smallModel("glm4moe", 1, names);
    for (const char* name : names) EXPECT_EQ(fileTypeChoice(other, FileType::Q4_K_M, name), Dtype::Q4_K) << name;
}

TEST(SpecialRules, BlocksOfPredictionDoNotMakeA70B) {
    Model model = smallModel("llama-embed", 80, {"blk.9.attn_v.weight", "blk.10.attn_v.weight", "blk.11.attn_v.weight"});
    EXPECT_EQ(fileTypeChoice(model, FileType::Q3_K_S, "blk.9.attn_v.weight"), Dtype::Q5_K);
    addKey(model, "llama-embed.nextn_predict_layers", 1);
    EXPECT_EQ(fileTypeChoice(model, FileType::Q3_K_S, "blk.9.attn_v.weight"), Dtype::Q3_K);
}

TEST(SpecialRules, TwoFamiliesCountOtherLayersThanTheyStore) {
    const auto names = {"blk.0.ffn_down.weight", "blk.1.ffn_down.weight"};
    EXPECT_EQ(fileTypeChoice(smallModel("granite", 15, names), FileType::Q2_K_S, "blk.1.ffn_down.weight"), Dtype::Q2_K);
    EXPECT_EQ(fileTypeChoice(smallModel("graniteswitch", 15, names), FileType::Q2_K_S, "blk.1.ffn_down.weight"), Dtype::Q4_K);
    Model looped = smallModel("nanbeige", 8, names);
    EXPECT_EQ(fileTypeChoice(looped, FileType::Q2_K_S, "blk.1.ffn_down.weight"), Dtype::Q2_K);
    addKey(looped, "nanbeige.num_loops", 2);
    EXPECT_EQ(fileTypeChoice(looped, FileType::Q2_K_S, "blk.1.ffn_down.weight"), Dtype::Q4_K);
}

TEST(SpecialRules, AProjectorHasNoNumbers) {
    Model model = smallModel("clip", 40, {"blk.0.ffn_down.weight", "v.blk.0.ffn_down.weight"});
    addKey(model, "clip.expert_count", 8);
    EXPECT_EQ(fileTypeChoice(model, FileType::Q4_K_M, "v.blk.0.ffn_down.weight"), Dtype::Q6_K);
}

TEST(Patterns, EndWhateverTheyAre) {
    const Model model = smallModel("llama", 1, {"blk.0.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.weight", "blk.0.abab.weight"});
    const auto types = [&](const std::string& pattern) {
        MixOptions options;
        options.fileType = FileType::Q8_0;
        options.rules = {{pattern, Dtype::Q5_0}};
        const auto choices = chooseTypes(model, quantizationOrder(model), options);
        int matches = 0;
        for (const TypeChoice& choice : choices ? *choices : std::vector<TypeChoice>()) matches += choice.type == Dtype::Q5_0;
        return choices ? matches : -1;
    };
    EXPECT_EQ(types("(a*)*(.*)*(.*)*b$"), -1) << "too many steps";
    EXPECT_EQ(types("(A*)*\\.weight$"), 3);
    EXPECT_EQ(types("(ab)\\1"), 1) << "back references";
    EXPECT_EQ(types("^blk\\.\\d+\\.(?=aaa)"), 1) << "looking ahead";
    EXPECT_EQ(types("("), -1);
    EXPECT_EQ(types(std::string(100'000, '(') + std::string(100'000, ')')), -1);
}

TEST(SpecialRules, TensorsAreSortedByTheNumberScanfReads) {
    const Model model =
        smallModel("llama", 3, {"blk.2.x", "blk. 1.b", "blk.+1.a", "blk.0x.a", "blk.a.x", "blk.4294967296.z", "blk.-5.x"});
    std::vector<std::string> names;
    for (const std::size_t i : quantizationOrder(model)) names.push_back(model.tensors[i].name);
    EXPECT_EQ(names, (std::vector<std::string>{"blk.-5.x", "blk.a.x", "output.weight", "blk.0x.a", "blk.4294967296.z", "blk. 1.b",
                                               "blk.+1.a", "blk.2.x"}));
}

} // namespace
} // namespace wb::quant
