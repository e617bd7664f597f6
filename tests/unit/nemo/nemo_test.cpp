// SPDX-License-Identifier: MIT
#include "core/formats/nemo/nemo.h"
#include "core/formats/open.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

namespace wb::nemo {
namespace {

using testing::HasSubstr;

constexpr const char* config = "target: nemo.collections.asr.models.ctc_models.EncDecCTCModel\nsample_rate: 16000\n";

std::string header(const std::string& name, std::size_t bytes) {
    std::string block(512, '\0');
    block.replace(0, name.size(), name);
    block.replace(100, 7, "0000644");
    block.replace(124, 11, fmt::format("{:011o}", bytes));
    block[156] = '0';
    block.replace(257, 8,
                  std::string("ustar\0"
                              "00",
                              8));
    block.replace(148, 8, 8, ' ');
    unsigned sum = 0;
    for (const char c : block) sum += static_cast<unsigned char>(c);
    block.replace(148, 8, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
    return block;
}

std::string tarArchive(const std::vector<std::pair<std::string, std::string>>& members) {
    std::string out;
    for (const auto& [name, content] : members) {
        out += header(name, content.size()) + content;
        out.resize((out.size() + 511) / 512 * 512, '\0');
    }
    return out + std::string(1024, '\0');
}

std::string fileText(const std::filesystem::path& path) {
    const auto bytes = test::readFile(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::filesystem::path checkpoint() { return test::shared() / "fixtures/torch/views.pt"; } // views, strided and plain

Error refusal(const std::vector<std::pair<std::string, std::string>>& members) {
    const test::TemporaryFolder folder;
    const auto model = formats::open(folder.file("a.nemo", tarArchive(members)), {});
    EXPECT_FALSE(model);
    return model ? Error{} : model.error();
}

TEST(Nemo, HasTheTensorsOfItsWeightsAtTheirPlaces) {
    WB_NEED_SHARED("fixtures/torch/views.pt");
    const test::TemporaryFolder folder;
    const std::string weights = fileText(checkpoint());
    const std::string archive =
        tarArchive({{"./tokenizer.model", "words"}, {"./model_config.yaml", config}, {"./model_weights.ckpt", weights}});
    const auto path = folder.file("speech.nemo", archive);
    const auto model = formats::open(path, {}), truth = formats::open(checkpoint(), {});
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_TRUE(truth);
    EXPECT_EQ((*model)->architecture, "EncDecCTCModel");
    const Value* const own = (*model)->metadata.find("model_config.yaml");
    ASSERT_TRUE(own && own->object());
    EXPECT_EQ(own->object()->find("sample_rate")->unsignedNumber(), 16000u);
    EXPECT_EQ((*model)->files.at(0).name, "speech.nemo");
    const std::uint64_t begin = archive.find(weights);
    ASSERT_EQ((*model)->tensors.size(), (*truth)->tensors.size());
    std::size_t strided = 0;
    for (std::size_t i = 0; i < (*truth)->tensors.size(); ++i) {
        const TensorInfo &one = (*model)->tensors[i], &wanted = (*truth)->tensors[i];
        EXPECT_EQ(one.name, wanted.name);
        if (wanted.offset()) {
            EXPECT_EQ(one.offset(), *wanted.offset() + begin) << one.name;
        }
        EXPECT_EQ(one.source.form(), wanted.source.form());
        strided += one.source.form() == TensorSource::Form::Strided;
        EXPECT_EQ(test::hashOfValues(**model, one), test::hashOfValues(**truth, wanted)) << one.name;
    }
    EXPECT_GT(strided, 0u);
}

TEST(Nemo, ArchivesThatAreNotReadAreNamed) {
    EXPECT_EQ(refusal({{"model_config.yaml", config}}).reason, Reason("nemo.no_weights"));
    EXPECT_EQ(refusal({{"model_config.yaml", config}, {"model_weights/.metadata", "x"}}).reason, Reason("nemo.distributed"));
    const Error ranks =
        refusal({{"model_config.yaml", config}, {"mp_rank_00/model_weights.ckpt", "x"}, {"mp_rank_01/model_weights.ckpt", "x"}});
    EXPECT_EQ(ranks.reason, Reason("nemo.ranks"));
    EXPECT_THAT(ranks.message(), HasSubstr("a.nemo"));
    EXPECT_FALSE(refusal({{"model_config.yaml", config}, {"model_weights.ckpt", "not torch"}}).message().empty());
}

TEST(Nemo, AConfigurationThatCannotBeReadIsANote) {
    WB_NEED_SHARED("fixtures/torch/views.pt");
    const test::TemporaryFolder folder;
    const auto path =
        folder.file("a.nemo", tarArchive({{"model_config.yaml", "a: [1\n"}, {"model_weights.ckpt", fileText(checkpoint())}}));
    const auto model = formats::open(path, {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_TRUE(std::ranges::any_of((*model)->problems, [](const Problem& p) { return p.code == Reason("nemo.config"); }));
    EXPECT_FALSE((*model)->architecture);
}

// The directory of the archive and the configuration; the weights are PyTorch's to read.
TEST(Nemo, IsCutAndBentAtEveryByteWithoutHarm) {
    const std::string archive = tarArchive({{"model_config.yaml", config}, {"model_weights.ckpt", std::string(700, 'x')}});
    for (std::size_t at = 0; at < archive.size(); ++at)
        for (const bool isCut : {true, false}) {
            std::string bytes = isCut ? archive.substr(0, at) : archive;
            if (!isCut) bytes[at] = static_cast<char>(~bytes[at]);
            const io::MemorySource source("a.nemo", test::toBytes(bytes));
            formats::Findings findings("a.nemo", formats::Strictness::Lenient);
            const auto read = readArchive(source, {}, findings);
            if (!read) continue;
            EXPECT_LE(read->weights.end(), bytes.size());
        }
}

} // namespace
} // namespace wb::nemo
