// SPDX-License-Identifier: MIT
#include "core/convert/quantize/finite.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/io/disk_space.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#ifndef _WIN32
#include <sys/stat.h>
#endif

// What a run must never destroy, and what it must not believe.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

fs::path withSuffix(fs::path path, const char* suffix) { return path += suffix; }

// Runs with replacing allowed and expects a refusal that leaves the file as it is.
void expectKept(const QuantizePlan& plan, const fs::path& target, const fs::path& file) {
    const auto before = test::readFile(file);
    const auto outcome = runQuantize(plan, target, {0, true, true}, {});
    EXPECT_FALSE(outcome);
    EXPECT_EQ(test::readFile(file), before);
}

TEST(Protection, TheModelMayHaveTheNameOfAWorkingFile) {
    for (const char* suffix : {".part", ".part.journal"}) {
        const test::TemporaryFolder folder;
        const auto target = folder.path() / "out.gguf";
        const auto model = withSuffix(target, suffix);
        fs::rename(writeSmallModel(folder, 1), model);
        expectKept(planFile(model, quant::FileType::Q8_0), target, model);
    }
}

TEST(Protection, TheMatrixMayHaveAnyNameOfOurs) {
    for (const char* name : {"out.gguf", "out.gguf.part", "out.gguf.part.journal"}) {
        const test::TemporaryFolder folder;
        QuantizeRequest request;
        request.mix.fileType = quant::FileType::Q8_0;
        const auto file = folder.file(name, "a matrix");
        const quant::Imatrix matrix{file.string(), {}, 0, {{"none.weight", {}}}, (*io::FileSource::open(file))->identity()};
        request.matrix = std::make_shared<const quant::Imatrix>(matrix);
        const auto plan = planQuantize(openStrict(writeSmallModel(folder, 1)), request);
        ASSERT_TRUE(plan);
        expectKept(*plan, folder.path() / "out.gguf", folder.path() / name);
    }
}

#ifdef __linux__ // where names are bytes
TEST(Protection, NamesThatAreNotUtf8AreTheModelsToo) {
    const test::TemporaryFolder folder;
    const auto model = folder.path() / "\xff.gguf.part";
    fs::rename(writeSmallModel(folder, 1), model);
    expectKept(planFile(model, quant::FileType::Q8_0), folder.path() / "\xff.gguf", model);
    expectKept(planFile(model, quant::FileType::Q8_0), model, model);
}
#endif

// A refusal of another job leaves what an earlier one can go on with.
TEST(Protection, WorkOutlivesARefusal) {
    const test::TemporaryFolder folder;
    const auto model = writeSmallModel(folder, 2);
    const auto target = folder.file("out.gguf", "precious");
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }};
    const QuantizePlan first = planFile(model, quant::FileType::Q8_0);
    ASSERT_FALSE(runQuantize(first, target, {1, true}, progress));
    QuantizePlan other = planFile(model, quant::FileType::Q6_K);
    EXPECT_FALSE(runQuantize(other, target, {1, false}, {})) << "the target exists";
    other.files[0].bytes = *io::freeSpace(folder.path()) + (1ull << 40);
    EXPECT_FALSE(runQuantize(other, target, {1, true}, {})) << "there is no room";
    const auto resumed = runQuantize(first, target, {1, true}, {});
    ASSERT_TRUE(resumed);
    EXPECT_GT(resumed->resumedItems, 0u);
}

// Somebody else's file gets the name while the run goes on.
void expectAFileThatComesMeanwhileKept(const QuantizePlan& plan, const test::TemporaryFolder& folder, const std::string& name) {
    const auto target = folder.path() / "out.gguf";
    const Progress progress{{}, [&](std::uint64_t done, std::uint64_t total) {
                                if (done == total) folder.file(name, "precious");
                            }};
    const auto refused = runQuantize(plan, target, {1, false}, progress);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, run::targetExists);
    EXPECT_EQ(refused.error().arguments, std::vector{name});
    EXPECT_EQ(test::readFile(folder.path() / name), test::toBytes("precious"));
    EXPECT_FALSE(runQuantize(plan, target, {1, false}, {}));
    const auto replaced = runQuantize(plan, target, {1, true}, {});
    ASSERT_TRUE(replaced) << replaced.error().message();
    EXPECT_EQ(replaced->resumedItems, plan.tensors.size());
    EXPECT_TRUE(openStrict(targetPaths(plan, target)[0]));
    EXPECT_FALSE(fs::exists(withSuffix(target, ".part.journal")));
}

TEST(Protection, AFileThatComesMeanwhileIsKept) {
    const test::TemporaryFolder folder;
    expectAFileThatComesMeanwhileKept(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), folder, "out.gguf");
}

// The first is renamed last.
TEST(Protection, AFileThatComesInAPlaceOfAPartIsKept) {
    for (const char* name : {"out-00001-of-00002.gguf", "out-00002-of-00002.gguf"}) {
        const test::TemporaryFolder folder;
        expectAFileThatComesMeanwhileKept(planFile(writeSplitModel(folder, 2, 2), quant::FileType::Q8_0, true), folder, name);
    }
}

TEST(Protection, APartThatNoRunLeftIsAFileOfItsOwn) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0);
    const auto target = folder.path() / "out.gguf";
    const auto foreign = folder.file("out.gguf.part", "precious");
    const auto refused = runQuantize(plan, target, {}, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("out.gguf.part already exists"), std::string::npos) << refused.error().message();
    EXPECT_EQ(test::readFile(foreign), test::toBytes("precious"));
    EXPECT_FALSE(fs::exists(folder.path() / "out.gguf.part.journal"));
    EXPECT_TRUE(runQuantize(plan, target, {0, true}, {}));
}

TEST(Protection, AJournalThatIsNoneIsAFileOfItsOwn) {
    for (const std::string& text : {std::string("dear diary"), std::string(1 << 20, 'x')}) {
        const test::TemporaryFolder folder;
        const auto diary = folder.file("out.gguf.part.journal", text);
        EXPECT_FALSE(runQuantize(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), folder.path() / "out.gguf", {}, {}));
        EXPECT_EQ(test::readFile(diary), test::toBytes(text));
    }
}

TEST(Protection, AFolderIsRefusedBeforeTheWork) {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / "out.gguf");
    int calls = 0;
    const Progress progress{{}, [&](std::uint64_t, std::uint64_t) { ++calls; }};
    EXPECT_FALSE(
        runQuantize(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), folder.path() / "out.gguf", {1, true}, progress));
    EXPECT_EQ(calls, 0);
    EXPECT_FALSE(fs::exists(folder.path() / "out.gguf.part.journal"));
}

#ifndef _WIN32
#ifndef _WIN32 // where open files cannot be removed
TEST(Protection, AFolderThatIsRemovedMeanwhileIsNamed) {
    const test::TemporaryFolder folder;
    const auto target = folder.path() / "new" / "out.gguf";
    fs::create_directory(target.parent_path());
    const Progress progress{{}, [&](std::uint64_t, std::uint64_t) { fs::remove_all(target.parent_path()); }};
    const auto outcome = runQuantize(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), target, {1, false}, progress);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message().find("out.gguf.part was removed"), std::string::npos) << outcome.error().message();
    EXPECT_FALSE(fs::exists(target));
}
#endif

TEST(Protection, APipeIsNotReplaced) {
    const test::TemporaryFolder folder;
    const auto target = folder.path() / "out.gguf";
    ASSERT_EQ(::mkfifo(target.c_str(), 0600), 0);
    EXPECT_FALSE(runQuantize(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), target, {1, true}, {}));
    EXPECT_TRUE(fs::is_fifo(target));
}

TEST(Protection, ALinkThatLeadsNowhereIsATarget) {
    const test::TemporaryFolder folder;
    const auto target = folder.path() / "out.gguf";
    fs::create_symlink("nowhere", target);
    EXPECT_FALSE(runQuantize(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), target, {}, {}));
    EXPECT_TRUE(fs::is_symlink(target));
}
#endif

// Between two runs a part may lose what the journal says it holds.
TEST(DamagedPart, IsFoundAndDoneAnew) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 6), quant::FileType::Q4_K_M);
    const auto target = folder.path() / "out.gguf";
    ASSERT_TRUE(runQuantize(plan, folder.path() / "straight.gguf", {}, {}));
    for (int round = 0; round < 2; ++round) { // the second damage hits what the first repaired
        std::stop_source stop;
        const Progress progress{stop.get_token(), [&](std::uint64_t done, std::uint64_t total) {
                                    if (done == total) stop.request_stop();
                                }};
        ASSERT_FALSE(runQuantize(plan, target, {1}, progress));
        const auto part = withSuffix(target, ".part");
        auto bytes = test::readFile(part);
        bytes[plan.tensors[3].offset + 99] ^= std::byte{16};
        folder.file("out.gguf.part", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    const auto outcome = runQuantize(plan, target, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->resumedItems, plan.tensors.size() - 1);
    EXPECT_EQ(test::readFile(target), test::readFile(folder.path() / "straight.gguf"));
}

TEST(Finite, CopiedTensorsAreLookedAtToo) {
    const test::TemporaryFolder folder;
    for (const float poison : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        const QuantizePlan plan = planFile(writeSmallModel(folder, 1, poison), quant::FileType::F32);
        ASSERT_TRUE(plan.tensors.back().copied());
        const auto outcome = runQuantize(plan, folder.path() / "out.gguf", {}, {});
        ASSERT_FALSE(outcome);
        EXPECT_NE(outcome.error().message().find("blk.0.ffn_up.weight"), std::string::npos) << outcome.error().message();
        EXPECT_FALSE(fs::exists(folder.path() / "out.gguf.part"));
    }
}

bool isFiniteHere(Dtype dtype, const auto& stored) {
    std::vector<float> scratch;
    return isFinite(dtype, std::as_bytes(std::span(stored)), scratch);
}

TEST(Finite, KnowsTheStoredTypes) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(isFiniteHere(Dtype::F64, std::array{1e300, -1e300}));
    EXPECT_FALSE(isFiniteHere(Dtype::F64, std::array{0.0, infinity}));
    EXPECT_TRUE(isFiniteHere(Dtype::I32, std::array<std::uint32_t, 2>{0x7fc00000, 0x7f800000}));
    EXPECT_FALSE(isFiniteHere(Dtype::F16, std::array<std::uint16_t, 2>{0, 0x7c00}));
    std::array<unsigned char, 17> mxfp4{};
    EXPECT_TRUE(isFiniteHere(Dtype::MXFP4, mxfp4));
    mxfp4[0] = 255;
    EXPECT_FALSE(isFiniteHere(Dtype::MXFP4, mxfp4));
    std::array<unsigned char, 34> q8{};
    EXPECT_TRUE(isFiniteHere(Dtype::Q8_0, q8));
    q8[1] = 0x7e; // the scale is a NaN
    EXPECT_FALSE(isFiniteHere(Dtype::Q8_0, q8));
    std::vector<float> many(3 * comparedElements + 5, 1.0f);
    EXPECT_TRUE(isFiniteHere(Dtype::F32, many));
    many.back() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(isFiniteHere(Dtype::F32, many));
}

} // namespace
} // namespace wb::quantize
