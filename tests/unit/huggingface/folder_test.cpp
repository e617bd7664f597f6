// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/huggingface.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace wb::huggingface {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string folderWeights(std::string_view name) {
    const std::string header = fmt::format(R"({{"{}":{{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}}})", name);
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    return bytes + header + "data";
}

std::vector<std::string> tensorNames(const Model& model) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor : model.tensors) names.push_back(tensor.name);
    return names;
}

const Problem* problem(const Model& model, std::string_view code) {
    const auto found = std::ranges::find_if(model.problems, [&](const Problem& p) { return code == p.code.id(); });
    return found == model.problems.end() ? nullptr : &*found;
}

formats::OpenOptions strict() {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    return options;
}

class Folder : public testing::Test {
protected:
    Folder() { folder.file("config.json", R"({"architectures":["TinyForCausalLM"],"model_type":"tiny"})"); }

    ModelPtr open(const formats::OpenOptions& options = strict()) const {
        auto model = openFolder(folder.path(), options);
        EXPECT_TRUE(model) << model.error().message();
        return model ? *model : std::make_shared<const Model>();
    }

    test::TemporaryFolder folder;
};

TEST_F(Folder, OneFile) {
    folder.file("model.safetensors", folderWeights("a"));
    folder.file("generation_config.json", R"({"top_k":5})");
    folder.file("chat_template.jinja", "{{ messages }}");
    folder.file("tokenizer.model", "binary");
    const ModelPtr model = open();
    EXPECT_EQ(model->format, FormatId::HuggingFace);
    EXPECT_EQ(model->architecture, "TinyForCausalLM");
    EXPECT_THAT(tensorNames(*model), ElementsAre("a"));
    EXPECT_EQ(model->metadata.members.front().key, "config.json");
    EXPECT_EQ(model->metadata.find("generation_config.json")->object()->find("top_k")->unsignedNumber(), 5u);
    EXPECT_EQ(*model->metadata.find("chat_template.jinja")->string(), "{{ messages }}");
    EXPECT_NE(std::ranges::find(model->files, "tokenizer.model", &ModelFile::name), model->files.end());
    EXPECT_TRUE(model->problems.empty());
    EXPECT_TRUE(openFile(*model, model->tensors.at(0).file()));
}

TEST_F(Folder, NamesTheTrainingStateThatStrictOpeningDoesNotRead) {
    folder.file("model.safetensors", folderWeights("a"));
    for (const char* name : {"optimizer.pt", "rng_state_0.pth", "scheduler.pt", "random_states_0.pkl", "trainer_state.json"})
        folder.file(name, "{}");
    const auto opened = openFolder(folder.path(), strict());
    ASSERT_TRUE(opened) << opened.error().message();
    const ModelPtr model = *opened;
    EXPECT_EQ(model->checkpoint, nullptr);
    const Problem* note = problem(*model, "huggingface.training_state");
    ASSERT_NE(note, nullptr);
    EXPECT_EQ(note->severity, Severity::Note);
    EXPECT_THAT(note->message(), testing::HasSubstr("optimizer.pt, random_states_0.pkl, rng_state_0.pth, scheduler.pt"));
}

TEST_F(Folder, ArchitectureIsElseTheModelType) {
    folder.file("config.json", R"({"architectures":null,"model_type":"tiny"})");
    folder.file("model.safetensors", folderWeights("a"));
    EXPECT_EQ(open()->architecture, "tiny");
}

TEST_F(Folder, ATrailingSlashIsTheSameFolder) {
    folder.file("model.safetensors", folderWeights("a"));
    const auto model = openFolder(folder.path() / "", strict());
    ASSERT_TRUE(model);
    EXPECT_EQ((*model)->tensors.size(), 1u);
}

TEST_F(Folder, IndexBeforeOtherFiles) {
    folder.file("model-00001-of-00001.safetensors", folderWeights("a"));
    folder.file("consolidated.safetensors", folderWeights("b"));
    folder.file("model.safetensors.index.json", R"({"weight_map":{"a":"model-00001-of-00001.safetensors"}})");
    const ModelPtr model = open();
    EXPECT_THAT(tensorNames(*model), ElementsAre("a"));
    ASSERT_TRUE(problem(*model, "huggingface.not_read"));
    EXPECT_THAT(problem(*model, "huggingface.not_read")->message(), HasSubstr("consolidated.safetensors"));
}

TEST_F(Folder, PlainFileBeforeItsVariant) {
    folder.file("model.fp16.safetensors", folderWeights("half"));
    EXPECT_THAT(tensorNames(*open()), ElementsAre("half"));
    folder.file("model.safetensors", folderWeights("full"));
    EXPECT_THAT(tensorNames(*open()), ElementsAre("full"));
}

TEST_F(Folder, PartsWithoutAnIndex) {
    folder.file("model-00001-of-00003.safetensors", folderWeights("a"));
    folder.file("model-00003-of-00003.safetensors", folderWeights("c"));
    const ModelPtr model = open({});
    EXPECT_THAT(tensorNames(*model), ElementsAre("a", "c"));
    ASSERT_TRUE(problem(*model, "huggingface.part_missing"));
    EXPECT_THAT(problem(*model, "huggingface.part_missing")->message(), HasSubstr("Missing from the 3 parts of model"));
    EXPECT_FALSE(openFolder(folder.path(), strict()));
}

TEST_F(Folder, MissingPartsAreNotCountedOutOneByOne) {
    folder.file("model-00001-of-99999.safetensors", folderWeights("a"));
    const ModelPtr model = open({});
    EXPECT_EQ(model->problems.size(), 1u);
    EXPECT_THAT(model->problems.at(0).message(), HasSubstr("20, 21, …"));
}

TEST_F(Folder, NoConfigIsTheFormatOfTheWeights) {
    std::filesystem::remove(folder.path() / "config.json");
    folder.file("x.safetensors", folderWeights("a"));
    EXPECT_EQ(open()->format, FormatId::Safetensors);
}

TEST_F(Folder, Adapter) {
    std::filesystem::remove(folder.path() / "config.json");
    folder.file("adapter_config.json", R"({"peft_type":"LORA","r":8})");
    folder.file("adapter_model.safetensors", folderWeights("base_model.model.q.lora_A.weight"));
    const ModelPtr model = open();
    EXPECT_EQ(model->format, FormatId::Peft);
    EXPECT_NE(model->metadata.find("adapter_config.json"), nullptr);
    folder.file("merged.safetensors", folderWeights("w"));
    EXPECT_THAT(tensorNames(*open()), ElementsAre("base_model.model.q.lora_A.weight"));
    EXPECT_TRUE(problem(*open(), "huggingface.not_read"));
}

TEST_F(Folder, AdapterOfPyTorchThatIsNoFileOfTorch) {
    std::filesystem::remove(folder.path() / "config.json");
    folder.file("adapter_config.json", R"({"peft_type":"LORA","r":8})");
    folder.file("adapter_model.bin", "no pickle");
    const ModelPtr model = open({});
    EXPECT_EQ(model->format, FormatId::Peft);
    EXPECT_TRUE(problem(*model, "huggingface.torch"));
    EXPECT_FALSE(openFolder(folder.path(), strict()));
}

TEST_F(Folder, RepositoryCodeIsAWarning) {
    folder.file("model.safetensors", folderWeights("a"));
    EXPECT_FALSE(problem(*open(), "huggingface.code"));
    folder.file("config.json", R"({"auto_map":{"AutoModel":"m.M"}})");
    ASSERT_TRUE(problem(*open(), "huggingface.code"));
    folder.file("config.json", "{}");
    folder.file("modeling_tiny.py", "import os");
    const ModelPtr model = open();
    ASSERT_TRUE(problem(*model, "huggingface.code"));
    EXPECT_EQ(problem(*model, "huggingface.code")->severity, Severity::Warning);
    EXPECT_THAT(problem(*model, "huggingface.code")->message(), HasSubstr("modeling_tiny.py"));
}

TEST_F(Folder, DamagedCompanionIsAProblem) {
    folder.file("model.safetensors", folderWeights("a"));
    folder.file("tokenizer_config.json", "{");
    const ModelPtr model = open();
    EXPECT_EQ(model->tensors.size(), 1u);
    ASSERT_TRUE(problem(*model, "huggingface.companion"));
    EXPECT_EQ(problem(*model, "huggingface.companion")->file, "tokenizer_config.json");
}

TEST_F(Folder, LongVocabularyIsCut) {
    folder.file("model.safetensors", folderWeights("a"));
    std::string vocabulary = "{\"t0\":0";
    for (int i = 1; i < 10'000; ++i) vocabulary += fmt::format(",\"t{}\":{}", i, i);
    folder.file("tokenizer.json", R"({"model":{"vocab":)" + vocabulary + "}}}");
    const ModelPtr model = open();
    const ValueObject* vocab = model->metadata.find("tokenizer.json")->object()->find("model")->object()->find("vocab")->object();
    EXPECT_EQ(vocab->count, 10'000u);
    EXPECT_EQ(vocab->members.size(), 16u);
}

TEST_F(Folder, OtherWeightsOnly) {
    folder.file("tf_model.h5", "PK");
    const ModelPtr model = open({});
    EXPECT_TRUE(model->tensors.empty());
    ASSERT_TRUE(problem(*model, "huggingface.unread_weights"));
    EXPECT_THAT(problem(*model, "huggingface.unread_weights")->message(), HasSubstr("tf_model.h5"));
}

TEST_F(Folder, DamagedGgufIsAProblem) {
    folder.file("model.gguf", "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 77\n");
    EXPECT_FALSE(openFolder(folder.path(), strict()));
    const ModelPtr model = open({});
    ASSERT_TRUE(problem(*model, "huggingface.gguf"));
    ASSERT_TRUE(problem(*model, "lfs.pointer"));
}

TEST_F(Folder, NoModel) {
    std::filesystem::remove(folder.path() / "config.json");
    folder.file("notes.json", "{}");
    const auto model = openFolder(folder.path(), {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::Unknown);
    EXPECT_THAT(model.error().message(), HasSubstr(folder.path().filename().string()));
}

TEST_F(Folder, CacheSnapshotFollowsItsLinksOnly) {
    test::TemporaryFolder cache;
    const std::string blob(64, 'a');
    cache.file("repo/blobs/" + blob, folderWeights("a"));
    cache.file("repo/blobs/" + std::string(40, 'b'), R"({"model_type":"tiny"})");
    const auto snapshot = cache.path() / "repo/snapshots/main";
    std::filesystem::create_directories(snapshot);
    std::filesystem::create_symlink("../../blobs/" + blob, snapshot / "model.safetensors");
    std::filesystem::create_symlink("../../blobs/" + std::string(40, 'b'), snapshot / "config.json");
    std::filesystem::create_symlink("/etc/hostname", snapshot / "tokenizer.json");
    const auto model = openFolder(snapshot, {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_THAT(tensorNames(**model), ElementsAre("a"));
    EXPECT_EQ((*model)->architecture, "tiny");
    EXPECT_EQ((*model)->metadata.find("tokenizer.json"), nullptr);
    EXPECT_TRUE(problem(**model, "huggingface.companion"));
}

TEST(Pointers, AreNamedWithTheirRealSize) {
    WB_NEED_SHARED("corpus/lfs_pointers");
    const auto model = openFolder(test::shared() / "corpus/lfs_pointers", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_TRUE((*model)->tensors.empty());
    EXPECT_NE((*model)->metadata.find("config.json"), nullptr);
    EXPECT_NE((*model)->metadata.find("tokenizer_config.json"), nullptr);
    std::vector<std::string> pointers;
    for (const Problem& found : (*model)->problems)
        if (found.code == Reason("lfs.pointer")) pointers.push_back(found.message());
    EXPECT_THAT(pointers,
                ElementsAre(HasSubstr("flax_model.msgpack"), AllOf(HasSubstr("pytorch_model.bin"), HasSubstr("439512342"))));
}

class Fixture : public testing::TestWithParam<const char*> {};

TEST_P(Fixture, FoldersOpenWithoutErrors) {
    const std::string root = std::string("fixtures/") + GetParam();
    WB_NEED_SHARED(root);
    std::size_t opened = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / root)) {
        const bool hasWeights = std::filesystem::exists(entry.path() / "model.safetensors") ||
                                std::filesystem::exists(entry.path() / "model.safetensors.index.json") ||
                                std::filesystem::exists(entry.path() / "adapter_model.safetensors");
        if (!hasWeights) continue;
        const auto model = openFolder(entry.path(), strict());
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_FALSE((*model)->tensors.empty()) << entry.path();
        for (const Problem& p : (*model)->problems) EXPECT_NE(p.severity, Severity::Error) << entry.path() << " " << p.message();
        ++opened;
    }
    EXPECT_GT(opened, 10u);
}

INSTANTIATE_TEST_SUITE_P(Shared, Fixture, testing::Values("quantized", "torch/peft"));

TEST(Families, OpenWithTheirArchitecture) {
    WB_NEED_SHARED("arch");
    std::size_t opened = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "arch")) {
        if (!entry.is_directory()) continue;
        SCOPED_TRACE(entry.path().string());
        const auto model = openFolder(entry.path() / "hf", strict());
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_THAT((*model)->architecture.value_or(""), testing::AnyOf(HasSubstr("For"), HasSubstr("LMHead")));
        EXPECT_FALSE((*model)->tensors.empty());
        EXPECT_TRUE((*model)->problems.empty());
        ++opened;
    }
    EXPECT_GE(opened, 38u);
}

} // namespace
} // namespace wb::huggingface
