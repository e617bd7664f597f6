// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_output.h"
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>

// What a run promises and nobody sees as long as all goes well.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

void overwrite(const fs::path& file, std::uint64_t at, char byte) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(byte);
}

class Promises : public testing::Test {
protected:
    // Of two values, two files that are called alike.
    std::shared_ptr<const quant::Imatrix> matrixFromValue(float value) const {
        std::map<std::string, std::vector<float>> entries;
        for (const char* part : {"attn_v.weight", "ffn_down.weight", "ffn_up.weight"})
            entries[fmt::format("blk.0.{}", part)] = std::vector<float>(256, value);
        entries["blk.0.ffn_up.weight"][3] = 7;
        quant::Imatrix matrix = *makeMatrix(folder, fmt::format("{}.dat", value), entries);
        matrix.file = "m.gguf";
        matrix.datasets = {"text.raw"};
        matrix.chunks = 5;
        return std::make_shared<const quant::Imatrix>(std::move(matrix));
    }

    QuantizePlan plan(std::shared_ptr<const quant::Imatrix> matrix = {}) {
        QuantizeRequest request;
        request.mix.fileType = quant::FileType::Q4_K_S;
        request.matrix = std::move(matrix);
        auto made = planQuantize(openStrict(source), std::move(request));
        EXPECT_TRUE(made);
        return std::move(*made);
    }

    // A run that is stopped after its first item, so that another can go on.
    void begin(const QuantizePlan& made) {
        std::stop_source stop;
        const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }};
        const auto stopped = runQuantize(made, target, {1}, progress);
        ASSERT_FALSE(stopped);
        ASSERT_EQ(stopped.error().code, ErrorCode::Canceled);
    }

    // Does harm when all is written but not yet checked, and gives the sentence of the refusal.
    std::string refusalAfter(const std::function<void()>& harm) {
        const Progress progress{{}, [&](std::uint64_t done, std::uint64_t total) {
                                    if (done == total) harm();
                                }};
        const auto outcome = runQuantize(plan(), target, {1}, progress);
        EXPECT_FALSE(fs::exists(target));
        return outcome ? "it ended well" : outcome.error().message();
    }

    fs::path part() const { return fs::path(target) += ".part"; }

    test::TemporaryFolder folder;
    fs::path source = writeSmallModel(folder, 1);
    fs::path target = folder.path() / "out.gguf";
};

TEST_F(Promises, TheNewFileTellsOfItsMatrix) {
    ASSERT_TRUE(runQuantize(plan(matrixFromValue(1)), target, {}, {}));
    const ModelPtr written = openStrict(target);
    const auto text = [&](const char* key) {
        return written->metadata.find(key) ? *written->metadata.find(key)->string() : "none";
    };
    const auto number = [&](const char* key) {
        return written->metadata.find(key) ? written->metadata.find(key)->unsignedNumber().value_or(0) : 0;
    };
    EXPECT_EQ(text("quantize.imatrix.file"), "m.gguf");
    EXPECT_EQ(text("quantize.imatrix.dataset"), "text.raw");
    EXPECT_EQ(number("quantize.imatrix.entries_count"), 3u);
    EXPECT_EQ(number("quantize.imatrix.chunks_count"), 5u);
}

TEST_F(Promises, WorkOfAnotherMatrixIsNotTakenOver) {
    begin(plan(matrixFromValue(1)));
    const auto outcome = runQuantize(plan(matrixFromValue(2)), target, {}, {});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->resumedItems, 0u);
}

TEST_F(Promises, WorkOfAnotherStateOfTheModelIsNotTakenOver) {
    begin(plan());
    fs::last_write_time(source, fs::last_write_time(source) + std::chrono::hours(1));
    const auto outcome = runQuantize(plan(), target, {}, {});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->resumedItems, 0u);
}

// Systems number their devices anew at a start.
TEST_F(Promises, WorkIsTakenOverOnADeviceOfAnotherNumber) {
    QuantizePlan made = plan(matrixFromValue(1));
    const auto before = planJobId(made);
    Model moved = *made.model;
    ++moved.files[0].identity.device;
    made.model = std::make_shared<const Model>(moved);
    const auto former = made.matrix; // which the weights of the plan look into
    quant::Imatrix matrix = *former;
    ++matrix.identity.device;
    made.matrix = std::make_shared<const quant::Imatrix>(matrix);
    EXPECT_EQ(*planJobId(made), *before);
    for (auto change : {+[](io::Identity& id) { ++id.inode; }, +[](io::Identity& id) { ++id.bytes; },
                        +[](io::Identity& id) { ++id.modifiedNs; }}) {
        Model other = moved;
        change(other.files[0].identity);
        made.model = std::make_shared<const Model>(other);
        EXPECT_NE(*planJobId(made), *before);
    }
}

// Where files have no numbers, their names tell them apart.
TEST_F(Promises, WorkOfAFileWithoutANumberIsKnownByItsName) {
    QuantizePlan made = plan();
    Model model = *made.model;
    model.files[0].identity.inode = 0;
    made.model = std::make_shared<const Model>(model);
    const auto before = planJobId(made);
    model.files[0].name = "other.gguf";
    made.model = std::make_shared<const Model>(model);
    EXPECT_NE(*planJobId(made), *before);
}

TEST_F(Promises, WorkIsTakenOverInARenamedFolder) {
    fs::create_directory(folder.path() / "models");
    fs::rename(source, folder.path() / "models" / "small.gguf");
    source = folder.path() / "models" / "small.gguf";
    target = folder.path() / "models" / "out.gguf";
    begin(plan());
    fs::rename(folder.path() / "models", folder.path() / "renamed");
    fs::rename(folder.path() / "renamed" / "small.gguf", folder.path() / "renamed" / "better.gguf");
    source = folder.path() / "renamed" / "better.gguf";
    target = folder.path() / "renamed" / "out.gguf";
    const auto outcome = runQuantize(plan(), target, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_GT(outcome->resumedItems, 0u);
    EXPECT_TRUE(outcome->remarks.empty());
}

TEST_F(Promises, WorkThatIsDroppedIsToldOf) {
    begin(plan(matrixFromValue(1)));
    const auto told = runQuantize(plan(), target, {}, {});
    ASSERT_TRUE(told);
    ASSERT_EQ(told->remarks.size(), 1u);
    EXPECT_STREQ(told->remarks[0].code.id(), "run.dropped");
    fs::remove(target);
    begin(plan(matrixFromValue(1)));
    const auto asked = runQuantize(plan(), target, {0, true, true}, {});
    ASSERT_TRUE(asked);
    EXPECT_TRUE(asked->remarks.empty()) << "it was to begin anew";
}

TEST_F(Promises, WorkIsTakenOverUnlessItIsToStartAnew) {
    begin(plan());
    const auto anew = runQuantize(plan(), target, {1, false, true}, {});
    ASSERT_TRUE(anew);
    EXPECT_EQ(anew->resumedItems, 0u);
    fs::remove(target);
    begin(plan());
    const auto resumed = runQuantize(plan(), target, {}, {});
    ASSERT_TRUE(resumed);
    EXPECT_GT(resumed->resumedItems, 0u);
}

// No item covers what lies between two tensors.
TEST_F(Promises, ThePaddingOfAnEarlierRunIsNotTrusted) {
    const auto path = writeModel(
        folder, "odd.gguf",
        {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)},
        {{"blk.0.ffn_up.weight", *Shape::make({3, 32}), Dtype::F32}, {"output_norm.weight", *Shape::make({8}), Dtype::F32}});
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q8_0;
    const auto odd = planQuantize(openStrict(path), request);
    ASSERT_TRUE(odd);
    ASSERT_TRUE(runQuantize(*odd, target, {}, {}));
    const auto expected = test::readFile(target);
    fs::remove(target);
    begin(*odd);
    const auto uneven = std::ranges::find_if(odd->tensors, [](const auto& one) { return one.bytes % gguf::writtenAlignment != 0; });
    ASSERT_NE(uneven, odd->tensors.end());
    overwrite(part(), uneven->offset + uneven->bytes, 'x');
    ASSERT_TRUE(runQuantize(*odd, target, {}, {}));
    EXPECT_EQ(test::readFile(target), expected);
}

TEST_F(Promises, WhatIsWrittenIsReadBack) {
    constexpr std::uint64_t tensorCount = 8;
    EXPECT_NE(refusalAfter([&] { overwrite(part(), tensorCount, 1); }), "it ended well");
    const std::string longer = refusalAfter([&] { fs::resize_file(part(), fs::file_size(part()) + 32); });
    EXPECT_NE(longer.find("was not written as planned"), std::string::npos) << longer;
}

TEST_F(Promises, AModelThatChangedMeanwhileIsNamed) {
    const std::string changed =
        refusalAfter([&] { fs::last_write_time(source, fs::last_write_time(source) + std::chrono::hours(1)); });
    EXPECT_NE(changed.find("small.gguf has changed on disk"), std::string::npos) << changed;
}

// It may decode to zeros all the same.
TEST_F(Promises, AnExponentThatIsNoNumberIsFoundInTheModel) {
    source =
        writeModel(folder, "fp4.gguf",
                   {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)},
                   {{"blk.0.ffn_up.weight", *Shape::make({32, 32}), Dtype::MXFP4}});
    std::vector<char> blocks(32 * 17, 0);
    blocks[17] = '\xff';
    std::fstream(source, std::ios::binary | std::ios::in | std::ios::out)
        .seekp(static_cast<std::streamoff>(fs::file_size(source) - blocks.size()))
        .write(blocks.data(), static_cast<std::streamsize>(blocks.size()));
    QuantizeRequest request;
    request.allowRequantize = true;
    request.mix.fileType = quant::FileType::Q8_0;
    const auto made = planQuantize(openStrict(source), request);
    ASSERT_TRUE(made);
    const auto outcome = runQuantize(*made, target, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason("quantize.not_finite")) << outcome.error().message();
}

} // namespace
} // namespace wb::quantize
