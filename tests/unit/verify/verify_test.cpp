// SPDX-License-Identifier: MIT
#include "core/verify/verify.h"

#include "core/io/digests/sha256.h"
#include "core/verify/values.h"
#include "tests/unit/support/safetensors_file.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wb::verify {
namespace {

namespace fs = std::filesystem;
using namespace std::literals;
using test::safetensorsFile;
using testing::HasSubstr;

Report verified(const fs::path& path, Options options = {}) {
    auto report = verify(path, options);
    EXPECT_TRUE(report) << (report ? "" : report.error().message());
    return report ? *std::move(report) : Report();
}

// The sentences and places of what failed.
std::string failures(const Report& report) {
    std::string text;
    for (const Check& check : report.checks)
        if (!check.isPassed) text += check.problem.file + ": " + check.problem.message() + "\n";
    return text;
}

// On intact every check is ok, on the others at least one check or file is not.
void expectConsistent(const Report& report) {
    bool isAnyBad = !failures(report).empty();
    for (const CheckedFile& file : report.files) {
        isAnyBad = isAnyBad || file.isGood == false;
        EXPECT_EQ(file.expected.empty(), file.source == HashSource::None) << file.name;
    }
    EXPECT_EQ(report.verdict() == Verdict::Intact, !isAnyBad);
}

std::string sha256(std::string_view content) {
    io::Sha256 hash;
    hash.update(test::toBytes(content));
    return io::hexText(*hash.finish());
}

const std::string twoTensors = safetensorsFile({{"first", "[2]", {1, 2}}, {"second", "[2,1]", {3, 4}}});

class VerifyFile : public testing::Test {
protected:
    Report of(const std::string& name, const std::string& content, Options options = {}) {
        Report report = verified(folder.file(name, content), options);
        expectConsistent(report);
        return report;
    }

    const test::TemporaryFolder folder;
};

TEST_F(VerifyFile, IntactFilesPassEveryCheck) {
    const Report report = of("model.safetensors", twoTensors);
    EXPECT_EQ(report.verdict(), Verdict::Intact);
    ASSERT_FALSE(report.checks.empty());
    EXPECT_THAT(report.checks[0].problem.message(), HasSubstr("tensors: 2"));
    ASSERT_EQ(report.files.size(), 1u);
    EXPECT_EQ(report.files[0].bytes, twoTensors.size());
    EXPECT_EQ(report.files[0].sha256, "") << "nothing is expected, so nothing is hashed";
    EXPECT_EQ(report.values, std::nullopt);
}

// What the library of the format refuses.
TEST_F(VerifyFile, DamagedStructureIsFound) {
    const std::string a = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
    const std::string overlap = R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]})";
    const std::string hole = R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]})";
    const std::pair<const char*, std::string> cases[] = {
        {"trailing", twoTensors + "x"},
        {"truncated", twoTensors.substr(0, twoTensors.size() - 1)},
        {"header truncated", twoTensors.substr(0, 20)},
        {"hole", safetensorsFile("{" + a + "," + hole + "}", std::string(12, '\0'))},
        {"overlap", safetensorsFile("{" + a + "," + overlap + "}", std::string(6, '\0'))},
        {"empty", ""},
        {"wrong size", safetensorsFile(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", std::string(4, '\0'))}};
    for (const auto& [name, content] : cases) {
        const Report report = of("bad.safetensors", content);
        EXPECT_EQ(report.verdict(), Verdict::Damaged) << name;
        EXPECT_THAT(failures(report), HasSubstr("bad.safetensors")) << name;
    }
}

TEST_F(VerifyFile, RefusesWhatIsNoModelUnlessAHashTells) {
    const fs::path text = folder.file("notes.txt", "just some words");
    const auto refused = verify(text, {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr("notes.txt"));
    Options options;
    options.expectedSha256 = sha256("just some words");
    EXPECT_EQ(verified(text, options).verdict(), Verdict::Intact);
    options.expectedSha256 = std::string(64, '0');
    EXPECT_EQ(verified(text, options).verdict(), Verdict::Damaged);
    const auto missing = verify(folder.path() / "missing.gguf", {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
}

TEST_F(VerifyFile, HashesAreComparedWithWhatIsKnown) {
    Options options;
    options.expectedSha256 = sha256(twoTensors);
    const Report good = of("model.safetensors", twoTensors, options);
    EXPECT_EQ(good.files.at(0).sha256, options.expectedSha256);
    EXPECT_EQ(good.files[0].source, HashSource::Option);
    EXPECT_EQ(good.files[0].isGood, true);

    options = {};
    options.hashesAll = true;
    EXPECT_EQ(of("other.safetensors", twoTensors, options).files.at(0).sha256, sha256(twoTensors));
    EXPECT_EQ(of("other.safetensors", twoTensors, options).files.at(0).isGood, std::nullopt);
}

TEST_F(VerifyFile, PointersOfGitLfsAreNotTheFile) {
    const std::string hash = sha256("the weights");
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + hash + "\nsize 11\n";
    const Report report = of("model.safetensors", pointer);
    EXPECT_EQ(report.verdict(), Verdict::Damaged);
    EXPECT_EQ(report.files.at(0).expected, hash);
    EXPECT_EQ(report.files[0].source, HashSource::LfsPointer);
    EXPECT_EQ(report.files[0].isGood, false);
}

TEST_F(VerifyFile, RecordsOfADownloadCount) {
    fs::create_directories(folder.path() / ".cache/huggingface/download");
    const auto record = [&](const std::string& hash, const std::string& time = "9999999999") {
        folder.file(".cache/huggingface/download/model.safetensors.metadata",
                    std::string(40, 'a') + "\n" + hash + "\n" + time + "\n");
    };
    record(sha256(twoTensors));
    const Report good = of("model.safetensors", twoTensors);
    EXPECT_EQ(good.verdict(), Verdict::Intact);
    EXPECT_EQ(good.files.at(0).source, HashSource::HubCache);
    record(std::string(64, '1'));
    EXPECT_EQ(of("model.safetensors", twoTensors).verdict(), Verdict::Damaged);
    record(std::string(64, '1'), "1");
    EXPECT_EQ(of("model.safetensors", twoTensors).verdict(), Verdict::Damaged) << "a file that changed after its download";
}

#ifndef _WIN32
TEST_F(VerifyFile, LinksOfTheHubCacheNameTheHash) {
    const fs::path repository = folder.path() / "models--acme--tiny", snapshot = repository / "snapshots" / std::string(40, 'c');
    fs::create_directories(repository / "blobs");
    fs::create_directories(snapshot);
    const auto link = [&](const std::string& hash) {
        folder.file("models--acme--tiny/blobs/" + hash, twoTensors);
        fs::remove(snapshot / "model.safetensors");
        fs::create_symlink("../../blobs/" + hash, snapshot / "model.safetensors");
    };
    link(sha256(twoTensors));
    for (const fs::path& path : {snapshot, snapshot / "model.safetensors"}) {
        const Report good = verified(path);
        EXPECT_EQ(good.verdict(), Verdict::Intact);
        ASSERT_EQ(good.files.size(), 1u);
        EXPECT_EQ(good.files[0].isGood, true);
    }
    link(std::string(64, '2'));
    EXPECT_EQ(verified(snapshot).verdict(), Verdict::Damaged);
}
#endif

TEST_F(VerifyFile, DeepFindsWhatIsNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::string content = safetensorsFile({{"fine", "[3]", {1, 2, 3}},
                                                 {"with.nan", "[3]", {1, nan, nan}},
                                                 {"with.inf", "[2]", {-infinity, 0}},
                                                 {"optimizer.state.exp_avg", "[1]", {nan}}});
    EXPECT_EQ(of("model.safetensors", content).verdict(), Verdict::Intact) << "without looking";
    Options options;
    options.isDeep = true;
    const Report report = of("model.safetensors", content, options);
    EXPECT_EQ(report.verdict(), Verdict::Damaged);
    EXPECT_THAT(failures(report),
                testing::AllOf(HasSubstr("with.nan contains 2 NaN"), HasSubstr("1 infinite"), testing::Not(HasSubstr("exp_avg"))));
    ASSERT_TRUE(report.values);
    EXPECT_EQ(report.values->checked, 3u) << "state of an optimizer is no weight";
    EXPECT_EQ(report.values->withNan, 1u);
    EXPECT_EQ(report.values->withInfinity, 1u);
    const Report fine = of("fine.safetensors", twoTensors, options);
    EXPECT_EQ(fine.verdict(), Verdict::Intact);
    EXPECT_EQ(fine.values->checked, 2u);
}

TEST(NotFinite, IsCountedByTheBitsOfEveryType) {
    std::vector<float> scratch;
    const auto count = [&](Dtype dtype, std::string_view bytes, std::uint64_t elements) {
        const NotFinite found = countNotFinite(dtype, test::toBytes(bytes), elements, scratch);
        return std::pair(found.nan, found.infinite);
    };
    const std::pair<std::uint64_t, std::uint64_t> none(0, 0), nan(1, 0), infinite(0, 1);
    EXPECT_EQ(count(Dtype::F16, "\x00\x7c\xff\x7b"sv, 2), infinite);
    EXPECT_EQ(count(Dtype::F16, "\x01\x7c\x00\x00"sv, 2), nan);
    EXPECT_EQ(count(Dtype::BF16, "\x80\xff\x7f\x7f"sv, 2), infinite);
    EXPECT_EQ(count(Dtype::BF16, "\x81\xff\x00\x00"sv, 2), nan);
    EXPECT_EQ(count(Dtype::F64, "\0\0\0\0\0\0\xf0\x7f"sv, 1), infinite);
    EXPECT_EQ(count(Dtype::F64, "\1\0\0\0\0\0\xf0\x7f"sv, 1), nan);
    EXPECT_EQ(count(Dtype::F8_E4M3, "\x7f\x7e"sv, 2), nan);
    EXPECT_EQ(count(Dtype::I32, "\xff\xff\xff\xff"sv, 1), none);
    std::string block(34, '\1'); // Q8_0: a scale in f16 and 32 codes
    block[0] = '\0', block[1] = '\x7e';
    EXPECT_EQ(count(Dtype::Q8_0, block, 32).first, 32u);
}

// A folder with an index of two shards.
class VerifyFolder : public testing::Test {
protected:
    void SetUp() override {
        folder.file("config.json", R"({"model_type": "llama"})");
        folder.file("model-00001-of-00002.safetensors", safetensorsFile({{"a", "[2]", {1, 2}}}));
        folder.file("model-00002-of-00002.safetensors", safetensorsFile({{"b", "[1]", {3}}}));
        index(R"("a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors")");
    }

    void index(const std::string& map, int totalSize = 12) const {
        folder.file("model.safetensors.index.json",
                    R"({"metadata":{"total_size":)" + std::to_string(totalSize) + R"(},"weight_map":{)" + map + "}}");
    }

    Report report() const {
        Report result = verified(folder.path());
        expectConsistent(result);
        return result;
    }

    const test::TemporaryFolder folder;
};

TEST_F(VerifyFolder, IndexAndShardsAgree) {
    const Report good = report();
    EXPECT_EQ(good.verdict(), Verdict::Intact) << failures(good);
    EXPECT_GE(good.files.size(), 3u);
    EXPECT_TRUE(std::ranges::any_of(good.checks, [](const Check& check) { return check.problem.code == Reason("verify.index"); }));
}

TEST_F(VerifyFolder, DamageNamesFileOrTensor) {
    index(R"("a":"model-00002-of-00002.safetensors","b":"model-00002-of-00002.safetensors")");
    EXPECT_EQ(report().verdict(), Verdict::Damaged);
    EXPECT_THAT(failures(report()), HasSubstr("tensor a"));
    index(R"("a":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors")");
    EXPECT_EQ(report().verdict(), Verdict::Damaged);
    EXPECT_THAT(failures(report()), HasSubstr("tensor c"));
    index(R"("a":"../model-00001-of-00002.safetensors")");
    EXPECT_EQ(report().verdict(), Verdict::Damaged);
    SetUp();
    fs::remove(folder.path() / "model-00002-of-00002.safetensors");
    EXPECT_EQ(report().verdict(), Verdict::Damaged);
    EXPECT_THAT(failures(report()), HasSubstr("model-00002-of-00002.safetensors"));
}

TEST_F(VerifyFolder, SurplusIsSuspicious) {
    index(R"("a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors")", 999);
    EXPECT_EQ(report().verdict(), Verdict::Suspicious);
    EXPECT_THAT(failures(report()), HasSubstr("total_size"));
    SetUp();
    folder.file("old.safetensors", twoTensors);
    EXPECT_EQ(report().verdict(), Verdict::Suspicious);
    EXPECT_THAT(failures(report()), HasSubstr("old.safetensors"));
    fs::remove(folder.path() / "old.safetensors");
    folder.file("model-00002-of-00002.safetensors", safetensorsFile({{"b", "[1]", {3}}, {"extra", "[0]", {}}}));
    EXPECT_EQ(report().verdict(), Verdict::Suspicious);
    EXPECT_THAT(failures(report()), HasSubstr("extra"));
}

std::string array(const std::string& values) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
    header.resize(117, ' ');
    return "\x93NUMPY\1\0\x76\0"s + header + "\n" + values;
}

TEST_F(VerifyFile, ChecksumsOfEveryEntryAreCompared) {
    const std::string good = test::makeZip(
        {{.name = "a.npy", .content = array(std::string(16, '\1'))}, {.name = "b.npy", .content = array(std::string(16, '\2'))}});
    const Report intact = of("good.npz", good);
    EXPECT_EQ(intact.verdict(), Verdict::Intact) << failures(intact);
    std::string bent = good;
    bent[good.find(std::string(16, '\2')) + 3] = '\3';
    const Report damaged = of("bent.npz", bent);
    EXPECT_EQ(damaged.verdict(), Verdict::Damaged);
    EXPECT_THAT(failures(damaged), HasSubstr("b.npy"));
    EXPECT_THAT(failures(damaged), testing::Not(HasSubstr("a.npy")));
}

// Files of PyTorch's distributed checkpoints are archives one after another.
TEST_F(VerifyFile, StackedArchivesAreCheckedOneByOne) {
    WB_NEED_SHARED("fixtures/distributed/dcp_fsdp2_w2");
    const fs::path copy = folder.path() / "run";
    fs::copy(test::shared() / "fixtures/distributed/dcp_fsdp2_w2", copy, fs::copy_options::recursive);
    const Report intact = verified(copy);
    EXPECT_EQ(intact.verdict(), Verdict::Intact) << failures(intact);
    const fs::path file = copy / "__1_0.distcp";
    fs::permissions(copy, fs::perms::owner_all);
    fs::permissions(file, fs::perms::owner_all);
    std::vector<std::byte> content = test::readFile(file);
    constexpr std::string_view name = "archive/data/0";
    const auto found = std::ranges::search(content, std::as_bytes(std::span(name)));
    ASSERT_FALSE(found.empty());
    const auto extra = std::to_integer<std::ptrdiff_t>(found.begin()[-2]); // bytes between the name of the entry and its values
    found.end()[extra] ^= std::byte{1};
    fs::remove(file);
    folder.file("run/__1_0.distcp", std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
    const Report bent = verified(copy);
    EXPECT_EQ(bent.verdict(), Verdict::Damaged);
    EXPECT_THAT(failures(bent), HasSubstr("__1_0.distcp"));
    for (const auto& entry : fs::directory_iterator(copy)) fs::permissions(entry.path(), fs::perms::owner_all);
}

TEST_F(VerifyFile, AStopEndsTheWork) {
    const fs::path path = folder.file("model.safetensors", twoTensors);
    std::stop_source stop;
    stop.request_stop();
    Options options;
    options.isDeep = true;
    options.progress.stop = stop.get_token();
    const auto report = verify(path, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::verify
