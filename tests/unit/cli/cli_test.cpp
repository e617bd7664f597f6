// SPDX-License-Identifier: MIT
#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"
#include "tests/unit/gguf/gguf_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#ifndef _WIN32
#include <sys/resource.h>
#endif

// The contract of the command line (docs/reference/command_line.md), seen from outside.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;
using test::runWbWithFault;
using test::writeModel;

TEST(WbInspect, PrintsOneDocument) {
    const test::TemporaryFolder folder;
    const auto path = writeModel(folder);
    const auto run = runWb({"inspect", path.string(), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const auto json = run.json();
    EXPECT_EQ(json["format"], "gguf");
    EXPECT_EQ(json["version"], 3);
    EXPECT_EQ(json["architecture"], "llama");
    EXPECT_EQ(json["metadata"]["answer"], 42);
    EXPECT_EQ(json["parameters"], 68);
    EXPECT_EQ(json["bytes"], 272);
    EXPECT_EQ(json["tensors"].size(), 2u);
    EXPECT_EQ(json["tensors"][0]["shape"], nlohmann::json({2, 32}));
    EXPECT_EQ(json["tensors"][0]["logical"], false);
    EXPECT_TRUE(json["problems"].empty());
}

TEST(WbInspect, ShowsWhatWasAskedForAlone) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto whole = runWb({"inspect", model}).out;
    EXPECT_NE(whole.find("Metadata"), std::string::npos);
    const auto numbers = runWb({"inspect", model, "--stats"}).out;
    EXPECT_EQ(numbers.find("Metadata"), std::string::npos);
    const auto some = runWb({"inspect", model, "--filter", "name:count"}).out;
    EXPECT_EQ(some.find("Parameters"), std::string::npos) << "totals would be those of the whole file";
    EXPECT_EQ(some.find("ones"), std::string::npos);
    const auto file = (folder.path() / "values.npy").string();
    const auto exported = runWb({"inspect", model, "--tensor", "count*", "--export", file});
    EXPECT_EQ(exported.status, 0) << exported.err;
    EXPECT_EQ(exported.out.find("Metadata"), std::string::npos);
    EXPECT_NE(exported.out.find("Saved the values to " + file), std::string::npos) << exported.out;
    EXPECT_TRUE(fs::exists(file));
}

TEST(WbInspect, QuietPrintsNoTables) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto quiet = runWb({"inspect", model, "--stats", "--quiet"});
    EXPECT_EQ(quiet.status, 0) << quiet.err;
    EXPECT_NE(quiet.out.find("Parameters"), std::string::npos) << quiet.out;
    EXPECT_EQ(quiet.out.find("counting.weight"), std::string::npos) << quiet.out;
    const auto scan = runWb({"scan", folder.path().string(), "--quiet"});
    EXPECT_EQ(scan.status, 0) << scan.err;
    EXPECT_NE(scan.out.find("clean"), std::string::npos) << scan.out;
    EXPECT_EQ(scan.out.find("Checked as"), std::string::npos) << scan.out;
}

// A script notices by the exit status, where it asks for it.
TEST(WbInspect, TellsDamageByItsExitStatus) {
    const test::TemporaryFolder folder;
    const auto whole = writeModel(folder);
    EXPECT_EQ(runWb({"inspect", whole.string(), "--exit-code"}).status, 0);
    const auto bytes = test::readFile(whole);
    const std::string content(reinterpret_cast<const char*>(bytes.data()), bytes.size() - 40);
    const auto cut = folder.file("cut.gguf", content).string();
    const auto shown = runWb({"inspect", cut});
    EXPECT_EQ(shown.status, 0) << "what is there is shown";
    EXPECT_NE(shown.out.find("error: "), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find(fmt::format("{} bytes)", content.size())), std::string::npos) << shown.out;
    const auto told = runWb({"inspect", cut, "--exit-code"});
    EXPECT_EQ(told.status, 4);
    EXPECT_EQ(told.out, shown.out);
    EXPECT_EQ(runWb({"inspect", cut, "--exit-code", "--json"}).status, 4);
}

TEST(WbInspect, ComputesStatistics) {
    const test::TemporaryFolder folder;
    const auto json =
        runWb({"inspect", writeModel(folder).string(), "--json", "--stats", "--bins", "4", "--tensor", "count*"}).json();
    ASSERT_EQ(json["tensors"].size(), 1u);
    EXPECT_EQ(json["parameters"], 68) << "totals stay whole";
    const auto& stats = json["tensors"][0]["stats"];
    EXPECT_EQ(stats["count"], 64);
    EXPECT_EQ(stats["min"], 0);
    EXPECT_EQ(stats["max"], 63);
    EXPECT_EQ(stats["mean"], 31.5);
    EXPECT_EQ(stats["zeros"], 1);
    EXPECT_EQ(stats["percentiles"]["50"], 31);
    EXPECT_EQ(stats["histogram"]["counts"], nlohmann::json({16, 16, 16, 16}));
    EXPECT_EQ(stats["top"][0]["index"], nlohmann::json({1, 31}));
}

TEST(WbInspect, SaysWhereStatisticsWereComputed) {
    const test::TemporaryFolder folder;
    const auto path = writeModel(folder).string();
    for (const char* device : {"cpu", "auto"}) {
        const auto json = runWb({"inspect", path, "--json", "--stats", "--device", device}).json();
        EXPECT_EQ(json["tensors"][0]["device"], "cpu") << device;
    }
    if (runWb({"devices", "--json"}).json()["devices"].size() == 1) GTEST_SKIP() << "there is no Vulkan device here";
    const auto run = runWb({"inspect", path, "--json", "--stats", "--device", "gpu"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["tensors"][0]["device"], "gpu:1");
    EXPECT_TRUE(json["tensors"][0]["device_note"].is_null());
    EXPECT_EQ(json["tensors"][0]["stats"]["max"], 63);
    EXPECT_TRUE(json["problems"].empty());
}

TEST(WbInspect, GoesOnWithTheCpuWhenTheDeviceIsLost) {
    if (runWb({"devices", "--json"}).json()["devices"].size() == 1) GTEST_SKIP() << "there is no Vulkan device here";
    const test::TemporaryFolder folder;
    const auto path = writeModel(folder).string();
    // Lost after the self-test, within the first tensor.
    const auto run = runWbWithFault("lost:6", {"inspect", path, "--json", "--stats", "--device", "gpu"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    for (const auto& tensor : json["tensors"]) {
        EXPECT_EQ(tensor["device"], "cpu");
        EXPECT_EQ(tensor["device_note"], json["problems"][0]["message"]);
        EXPECT_EQ(tensor["stats"]["nan"], 0);
    }
    ASSERT_EQ(json["problems"].size(), 1u);
    EXPECT_EQ(json["problems"][0]["severity"], "warning");
}

TEST(WbInspect, AddsChannels) {
    const test::TemporaryFolder folder;
    const auto json =
        runWb({"inspect", writeModel(folder).string(), "--json", "--channels", "row", "--tensor", "counting.weight"}).json();
    const auto& channels = json["tensors"][0]["channels"];
    EXPECT_EQ(channels["axis"], "row");
    EXPECT_EQ(channels["absmax"], nlohmann::json({31, 63}));
}

TEST(WbInspect, FiltersAsTheWindowDoes) {
    const test::TemporaryFolder folder;
    const auto path = writeModel(folder).string();
    EXPECT_EQ(runWb({"inspect", path, "--json", "--filter", "elements:>10"}).json()["tensors"].size(), 1u);
    EXPECT_EQ(runWb({"inspect", path, "--json", "--filter", "max=1"}).json()["tensors"][0]["name"], "ones")
        << "asks for statistics";
    const auto wrong = runWb({"inspect", path, "--filter", "elephants:>10"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.errorLines(), 1);
}

TEST(WbInspect, ExportsNpy) {
    const test::TemporaryFolder folder;
    const auto target = folder.path() / "x.npy";
    const auto run = runWb({"inspect", writeModel(folder).string(), "--tensor", "counting.weight", "--export", target.string()});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto bytes = test::readFile(target);
    ASSERT_EQ(bytes.size(), 128u + 256u);
    const std::string header(reinterpret_cast<const char*>(bytes.data()), 128);
    EXPECT_EQ(header.substr(1, 5), "NUMPY");
    EXPECT_NE(header.find("'descr': '<f4', 'fortran_order': False, 'shape': (2, 32), }"), std::string::npos) << header;
    float last = 0;
    std::memcpy(&last, &bytes[bytes.size() - 4], 4);
    EXPECT_EQ(last, 63);
}

TEST(WbInspect, ExportsOneTensorOnly) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder);
    const auto before = test::readFile(model);
    EXPECT_EQ(runWb({"inspect", model.string(), "--export", (folder.path() / "x.npy").string()}).status, 2);
    EXPECT_EQ(runWb({"inspect", model.string(), "--tensor", "ones", "--export", model.string()}).status, 2);
    EXPECT_EQ(runWb({"inspect", model.string(), "--tensor", "ones", "--export", (folder.path() / "x.json").string()}).status, 2);
    EXPECT_FALSE(fs::exists(folder.path() / "x.json"));
    EXPECT_EQ(runWb({"inspect", model.string(), "--export", (folder.path() / "x.npz").string()}).status, 0);
    EXPECT_TRUE(fs::exists(folder.path() / "x.npz"));
    EXPECT_EQ(test::readFile(model), before);
}

void expectRefusal(const std::vector<std::string>& words, int status, const std::string& needle) {
    const auto run = runWb(words);
    EXPECT_EQ(run.status, status) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.errorLines(), 1) << run.err;
    EXPECT_NE(run.err.find(needle), std::string::npos) << run.err;
}

TEST(WbInspect, RefusesWithOneSentence) {
    const test::TemporaryFolder folder;
    expectRefusal({"inspect", (folder.path() / "nothing.gguf").string(), "--json"}, 1, "nothing.gguf");
    expectRefusal({"inspect", folder.file("picture.gguf", "\x89PNG\r\n\x1a\n").string()}, 1, "picture.gguf");
    expectRefusal({"inspect", folder.file("line\nbreak.gguf", "GGUF").string()}, 1, "break.gguf");
    expectRefusal({"inspect", writeModel(folder).string(), "--tensor", "missing"}, 1, "tiny model.gguf");
    expectRefusal({"inspect", writeModel(folder).string(), "--stats", "--device", "gpu:999"}, 1, "wb: --device gpu:999: ");
}

TEST(WbInspect, RejectsWrongUsage) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    expectRefusal({"inspect"}, 2, "PATH");
    expectRefusal({"inspect", model, "--bins", "0"}, 2, "bins");
    expectRefusal({"inspect", model, "--bins", "65537"}, 2, "bins");
    expectRefusal({"inspect", model, "--channels", "diagonal"}, 2, "channels");
    expectRefusal({"inspect", model, "--device", "toaster"}, 2, "device");
    expectRefusal({"inspect", model, "--threads", "0"}, 2, "threads");
    expectRefusal({"bark", model}, 2, "bark is not a wb command");
    expectRefusal({"inspct", model}, 2, "did you mean wb inspect? Run");
    EXPECT_EQ(runWb({"help"}).out, runWb({"--help"}).out);
    EXPECT_EQ(runWb({"help", "inspect"}).out, runWb({"inspect", "--help"}).out);
}

TEST(WbInspect, WritesALog) {
    const test::TemporaryFolder folder;
    const auto log = folder.path() / "wb.log";
    runWb({"inspect", (folder.path() / "nothing.gguf").string(), "--log", log.string()});
    EXPECT_GT(fs::file_size(log), 0u);
}

TEST(WbQuantize, PlansWithoutWriting) {
    const test::TemporaryFolder folder;
    const auto out = folder.path() / "out.gguf";
    const auto run = runWb({"quantize", writeModel(folder).string(), out.string(), "q8_0", "--dry-run", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["type"], "Q8_0");
    EXPECT_EQ(json["tensors"][0]["to"], "Q8_0");
    EXPECT_TRUE(json["tensors"][0]["rmse"].is_null());
    EXPECT_FALSE(fs::exists(out));
}

TEST(WbQuantize, WritesAndReports) {
    const test::TemporaryFolder folder;
    const auto out = folder.path() / "out.gguf";
    const auto report = folder.path() / "report.json";
    const auto model = writeModel(folder).string();
    const auto run = runWb({"quantize", model, out.string(), "Q8_0", "--json", "--report", report.string()});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["bytes_out"], fs::file_size(out));
    EXPECT_GT(run.json()["tensors"][0]["cosine"], 0.999);
    EXPECT_EQ(test::readFile(report), test::toBytes(run.out));
    EXPECT_EQ(runWb({"inspect", out.string(), "--json"}).json()["tensors"][0]["dtype"], "Q8_0");
    expectRefusal({"quantize", model, out.string(), "Q8_0"}, 1, "out.gguf");
    EXPECT_EQ(runWb({"quantize", model, out.string(), "Q4_0", "--force"}).status, 0);
}

// Sentences of the core say what can be done, the program adds how.
TEST(WbQuantize, NamesItsOptionInARefusal) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto out = (folder.path() / "out.gguf").string();
    ASSERT_EQ(runWb({"quantize", model, out, "Q8_0"}).status, 0);
    expectRefusal({"quantize", model, out, "Q8_0"}, 1, "(--force).");
    const auto third = (folder.path() / "third.gguf").string();
    expectRefusal({"quantize", out, third, "Q4_0"}, 1, "(--allow-requantize).");
    EXPECT_EQ(runWb({"quantize", out, third, "Q4_0", "--allow-requantize"}).status, 0);
}

// Lists and rules in every spelling that llama-quantize knows.
TEST(WbQuantize, TakesTheOptionsOfLlamaQuantize) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto rules = folder.file("rules.txt", "nothing=Q4_0\n\t.*=Q5_1 never=Q8_0").string();
    const auto typeBy = [&](std::vector<std::string> options) {
        std::vector<std::string> words = {"quantize", model, (folder.path() / "out.gguf").string(), "7", "--dry-run", "--json"};
        words.insert(words.end(), options.begin(), options.end());
        const auto run = runWb(words);
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? run.json()["tensors"][0]["to"].get<std::string>() : "";
    };
    EXPECT_EQ(typeBy({}), "Q8_0") << "7 is its number in general.file_type";
    EXPECT_EQ(typeBy({"--tensor-type-file", rules}), "Q5_1");
    const auto marked = folder
                            .file("marked.txt", "\xEF\xBB\xBF"
                                                "counting=Q4_1")
                            .string();
    EXPECT_EQ(typeBy({"--tensor-type-file", marked}), "Q4_1") << "editors on Windows begin with a mark";
    EXPECT_EQ(typeBy({"--tensor-type", ".*=Q4_1", "--tensor-type-file", rules}), "Q4_1") << "the command line comes first";
    EXPECT_EQ(typeBy({"--override-kv", "a.b=int:1", "--prune-layers", "97, 98", "--leave-output-tensor"}), "Q8_0");
}

// Options that may be repeated take one word each, wherever they stand among the others.
TEST(WbQuantize, TakesOptionsBeforeAndBetweenItsWords) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto out = (folder.path() / "out.gguf").string();
    const auto typeBy = [](std::vector<std::string> words) {
        words.insert(words.begin(), "quantize");
        words.insert(words.end(), {"--dry-run", "--json"});
        const auto run = runWb(words);
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? run.json()["tensors"][0]["to"].get<std::string>() : "";
    };
    const auto check = [&](const std::string& option, const std::string& value, const char* type) {
        EXPECT_EQ(typeBy({option, value, model, out, "Q8_0"}), type) << option;
        EXPECT_EQ(typeBy({model, out, option, value, "Q8_0"}), type) << option;
        EXPECT_EQ(typeBy({model, option, value, option, value, out, "Q8_0"}), type) << option;
    };
    check("--tensor-type", ".*=Q5_1", "Q5_1");
    check("--override-kv", "a.b=int:1", "Q8_0");
    for (const char* option : {"--include-weights", "--exclude-weights"}) // all words are there, but a matrix
        expectRefusal({"quantize", option, "a", model, out, "Q8_0"}, 2, "--imatrix");
    const auto shown = runWb({"inspect", "--tensor", "*", model, "--json"});
    EXPECT_EQ(shown.status, 0) << shown.err;
}

TEST(WbQuantize, RejectsWrongUsage) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto out = (folder.path() / "out.gguf").string();
    expectRefusal({"quantize", model, out, "Q8_K"}, 2, "Q8_K");
    expectRefusal({"quantize", model, out, "Q9_9"}, 2, "Q9_9");
    expectRefusal({"quantize", model, out, "Q8_0", "--tensor-type", "ffn"}, 2, "ffn");
    expectRefusal({"quantize", model, out, "Q8_0", "--tensor-type", "(ffn=Q4_0"}, 2, "(ffn");
    expectRefusal({"quantize", model, out, "Q8_0", "--tensor-type", "ffn=Q4_0,attn=Q5_0"}, 2, "Q4_0,attn=Q5_0");
    expectRefusal({"quantize", model, out, "Q8_0", "--include-weights", "a", "--exclude-weights", "b"}, 2, "include");
    expectRefusal({"quantize", model, out, "Q8_0", "--override-kv", "a=u8:1"}, 2, "a=u8:1");
    expectRefusal({"quantize", model, out, "Q8_0", "--prune-layers", "1;2"}, 2, "1;2");
    expectRefusal({"quantize", model, out, "Q8_0", "--override-kv", "a=str:\xff", "--save-plan", out + ".json"}, 2, "--save-plan");
    expectRefusal({"quantize", model, out, "Q4_K_M", "--imatrix", (folder.path() / "none.dat").string()}, 1, "none.dat");
}

// A file of rules that cannot be used is a failure like that of any file, and is named.
TEST(WbQuantize, NamesTheFileOfRules) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto out = (folder.path() / "out.gguf").string();
    const auto refuses = [&](const fs::path& rules, const char* needle) {
        expectRefusal({"quantize", model, out, "Q8_0", "--tensor-type-file", rules.string()}, 1, needle);
        expectRefusal({"quantize", model, out, "Q8_0", "--tensor-type-file", rules.string()}, 1, io::baseName(rules).c_str());
    };
    refuses(folder.path() / "none.txt", "does not exist");
    refuses(folder.path(), "folder");
    refuses(folder.file("rules.txt", "ffn=Q4_0 attn"), "attn does not have the form REGEX=TYPE");
    refuses(folder.file("types.txt", "ffn=Q4_9"), "Q4_9");
    refuses(folder.file("patterns.txt", "(ffn=Q4_0"), "(ffn");
    refuses(folder.file("large.txt", std::string((1 << 20) + 1, ' ')), "check that it is the right file");
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(WbQuantize, SaysThatTheMemoryDoesNotSuffice) {
    const test::TemporaryFolder folder;
    const std::uint64_t count = 200 << 20;
    std::string content = test::GgufBuilder()
                              .pair("general.architecture", "llama")
                              .pair("large", test::GgufBuilder::Array, test::GgufBuilder().arrayHead(0, count))
                              .build();
    const auto model = folder.file("large.gguf", content);
    fs::resize_file(model, content.size() + count);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    const rlimit less{300 << 20, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
    const auto run =
        runWb({"quantize", model.string(), (folder.path() / "out.gguf").string(), "Q8_0", "--device", "cpu", "--json"});
    ::setrlimit(RLIMIT_AS, &before);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "wb: " + outOfMemory().message() + "\n");
}
#endif

TEST(WbQuantize, RefusesNamesThatFallTogether) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto before = test::readFile(model);
    const auto out = (folder.path() / "out.gguf").string();
    fs::create_symlink(model, folder.path() / "link.gguf");
    for (const char* option : {"--report", "--save-plan", "--log"}) {
        expectRefusal({"quantize", model, out, "Q8_0", option, model}, 2, "tiny model.gguf");
        expectRefusal({"quantize", model, out, "Q8_0", option, (folder.path() / "link.gguf").string()}, 2, "link.gguf");
        expectRefusal({"quantize", model, out, "Q8_0", option, out + ".part"}, 2, "out.gguf.part");
    }
    const auto report = (folder.path() / "x.json").string();
    expectRefusal({"quantize", model, out, "Q8_0", "--report", report, "--save-plan", report}, 2, "x.json");
    EXPECT_EQ(test::readFile(model), before);
}

// A variable of a script that is not set must not change the result silently.
// Names that only the opened model and its plan tell: the file in a folder, the parts of the result.
TEST(WbQuantize, WritesNothingOverWhatItReadsOrMakes) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto before = test::readFile(model);
    const auto out = (folder.path() / "out").string();
    for (const char* option : {"--report", "--save-plan"}) {
        EXPECT_EQ(runWb({"quantize", folder.path().string(), out, "Q8_0", "--dry-run", option, model}).status, 2) << option;
        EXPECT_EQ(test::readFile(model), before);
        EXPECT_EQ(runWb({"quantize", model, out, "Q8_0", "--keep-split", option, out + "-00001-of-00001.gguf"}).status, 2)
            << option;
        EXPECT_FALSE(fs::exists(out + "-00001-of-00001.gguf"));
    }
}

TEST(WbQuantize, RefusesEmptyWords) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto out = (folder.path() / "out.gguf").string();
    for (const char* option : {"--imatrix", "--report", "--plan", "--output-type", "--token-embedding-type", "--log"})
        expectRefusal({"quantize", model, out, "Q8_0", option, ""}, 2, option);
    expectRefusal({"quantize", "", out, "Q8_0"}, 2, "IN");
    expectRefusal({"quantize", model, "", "Q8_0"}, 2, "OUT");
    expectRefusal({"quantize", model, out, "Q8_0", "--include-weights", "ffn"}, 2, "--imatrix");
    EXPECT_FALSE(fs::exists(out));
}

TEST(WbQuantize, FindsOutBeforeTheWorkWhatCannotBeWritten) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto out = (folder.path() / "out.gguf").string();
    const auto nowhere = (folder.path() / "none" / "x.json").string();
    for (const char* option : {"--report", "--save-plan", "--log"}) {
        expectRefusal({"quantize", model, out, "Q8_0", option, nowhere}, 1, "x.json");
        EXPECT_FALSE(fs::exists(out)) << option;
    }
    const auto lost = runWb({"quantize", model, (folder.path() / "none" / "new.gguf").string(), "Q8_0"});
    EXPECT_EQ(lost.status, 1);
    EXPECT_TRUE(lost.err.starts_with("wb: Cannot write new.gguf, because the folder ")) << lost.err;
    expectRefusal({"quantize", model, out, "Q8_0", "--report", folder.path().string()}, 1, "folder");
    EXPECT_FALSE(fs::exists(out));
}

TEST(WbQuantize, ADryRunReportsAndLogsToo) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto report = folder.path() / "report.json";
    const auto text = folder.path() / "log";
    const auto run = runWb({"quantize", model, (folder.path() / "out.gguf").string(), "Q4_K_M", "--dry-run", "--json", "--report",
                            report.string(), "--log", text.string()});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(test::readFile(report), test::toBytes(run.out));
    EXPECT_NE(run.out.find("quantize.fallback"), std::string::npos) << "that of counting.weight";
    const auto log = test::readFile(text);
    EXPECT_NE(std::string(reinterpret_cast<const char*>(log.data()), log.size()).find("counting.weight"), std::string::npos);
}

#ifdef __linux__
TEST(WbQuantize, SaysThatItsOutputIsLost) {
    const test::TemporaryFolder folder;
    const auto run =
        runWb({"quantize", writeModel(folder).string(), (folder.path() / "out.gguf").string(), "Q8_0", "--dry-run"}, ">/dev/full");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.errorLines(), 1);
    EXPECT_EQ(runWb({"inspect", (folder.path() / "none").string()}, "2>/dev/full").status, 1) << "not an abort";
}

// Files must not take the place of closed streams, or text goes into a model.
TEST(WbQuantize, RunsWithClosedStreams) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto usual = (folder.path() / "usual.gguf").string();
    const auto closed = (folder.path() / "closed.gguf").string();
    ASSERT_EQ(runWb({"quantize", model, usual, "Q8_0"}).status, 0);
    EXPECT_EQ(runWb({"quantize", model, closed, "Q8_0"}, "<&- >&- 2>&-").status, 0);
    EXPECT_EQ(test::readFile(closed), test::readFile(usual));
}
#endif

TEST(WbQuantize, SavesAPlanAndRunsIt) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder).string();
    const auto plan = (folder.path() / "q.plan.json").string();
    const auto first = (folder.path() / "first.gguf").string();
    const auto second = (folder.path() / "second.gguf").string();
    ASSERT_EQ(runWb({"quantize", model, first, "Q8_0", "--save-plan", plan}).status, 0);
    const auto run = runWb({"quantize", model, second, "--plan", plan, "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["type"], "Q8_0");
    EXPECT_EQ(test::readFile(first), test::readFile(second));
    expectRefusal({"quantize", model, second, "Q8_0", "--plan", plan}, 2, "--plan");
    expectRefusal({"quantize", model, second, "--plan", plan, "--pure"}, 2, "--plan");
    expectRefusal({"quantize", model, second}, 2, "TYPE");
    expectRefusal({"quantize", first, (folder.path() / "third.gguf").string(), "--plan", plan}, 1, "first.gguf");
    expectRefusal({"quantize", model, second, "--plan", folder.file("bad.json", "{}").string()}, 1, "bad.json");
}

TEST(WbQuantize, ComparesAllMixes) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder);
    const auto run = runWb({"quantize", model.string(), "--compare", "--json", "--memory", "1GB", "--context", "512"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["context"], 512);
    EXPECT_EQ(json["exact"], false);
    int recommended = 0;
    for (const auto& mix : json["mixes"]) {
        for (const char* key : {"type", "bytes", "bits_per_weight", "rel_error", "weighted_error", "snr_db", "published", "needs",
                                "verdict", "recommended"})
            EXPECT_TRUE(mix.contains(key)) << key;
        EXPECT_TRUE(mix["weighted_error"].is_null()) << "there is no matrix";
        recommended += mix["recommended"].get<bool>();
    }
    EXPECT_GT(json["mixes"].size(), 20u);
    EXPECT_LE(recommended, 1);
    const auto shown = runWb({"quantize", model.string(), "--compare"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_NE(shown.out.find("Q8_0"), std::string::npos);
    expectRefusal({"quantize", model.string(), "--compare", "--memory", "lots"}, 2, "lots");
    expectRefusal({"quantize", model.string(), "out.gguf", "--compare"}, 2, "--compare");
    expectRefusal({"quantize", model.string(), "--compare", "--pure"}, 2, "--compare");
    expectRefusal({"quantize", model.string(), "out.gguf", "Q8_0", "--exact"}, 2, "--compare");
    expectRefusal({"quantize", model.string()}, 2, "OUT");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1) << "nothing is written";
}

TEST(WbQuantize, ChoosesTypesForABudget) {
    const test::TemporaryFolder folder;
    const auto model = writeModel(folder);
    const auto out = (folder.path() / "out.gguf").string();
    const auto run = runWb({"quantize", model.string(), out, "--budget", fmt::format("{}", fs::file_size(model) - 40), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_LE(fs::file_size(out), fs::file_size(model) - 40);
    EXPECT_FALSE(run.json()["budget"]["rules"].empty());
    EXPECT_EQ(run.json()["budget"]["exact"], false);
    const auto exact = runWb({"quantize", model.string(), out, "--budget", "1MB", "--budget-exact", "--dry-run", "--json"});
    ASSERT_EQ(exact.status, 0) << exact.err;
    EXPECT_EQ(exact.json()["budget"]["exact"], true);
    expectRefusal({"quantize", model.string(), out, "Q8_0", "--budget-exact"}, 2, "--budget");
    expectRefusal({"quantize", model.string(), out, "--budget", "lots"}, 2, "lots");
    expectRefusal({"quantize", model.string(), out, "--budget", "10", "--force"}, 1, "model");
    expectRefusal({"quantize", model.string(), out, "--budget", "1MB", "--plan", out + ".json"}, 2, "one of");
}

TEST(WbQuantize, TellsWhatTheDeviceDidWrongWhileItMeasured) {
    if (runWb({"devices", "--json"}).json()["devices"].size() == 1) GTEST_SKIP() << "there is no Vulkan device here";
    const test::TemporaryFolder folder;
    const auto run = runWbWithFault("lost:6", {"quantize", writeModel(folder).string(), (folder.path() / "out.gguf").string(),
                                               "--budget", // after the self-test
                                               "1MB", "--dry-run", "--device", "gpu", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto problems = run.json()["problems"];
    EXPECT_TRUE(std::ranges::any_of(problems, [](const nlohmann::json& problem) {
        const auto message = problem["message"].get<std::string>();
        return problem["severity"] == "warning" && message.find("stopped working") != std::string::npos;
    })) << problems.dump();
}

// A device is opened when the first work for it exists.
TEST(WbQuantize, OpensNoDeviceForAPlanOrForAModelThatDoesNotOpen) {
    const test::TemporaryFolder folder;
    const auto out = (folder.path() / "out.gguf").string(), missing = (folder.path() / "nothing.gguf").string();
    const auto model = writeModel(folder).string();
    EXPECT_EQ(runWb({"quantize", model, out, "Q8_0", "--device", "gpu:999", "--dry-run"}).status, 0);
    expectRefusal({"quantize", missing, out, "Q8_0", "--device", "gpu:999"}, 1, "nothing.gguf");
    expectRefusal({"quantize", model, out, "Q8_0", "--device", "gpu:999"}, 1, "wb: --device gpu:999: ");
    expectRefusal({"quantize", model, out, "--budget", "1MB", "--device", "gpu:999"}, 1, "wb: --device gpu:999: ");
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(WbQuantize, NamesItsTypesInTheHelp) {
    const auto help = runWb({"quantize", "--help"});
    EXPECT_EQ(help.status, 0);
    for (const char* type : {"Q4_K_M", "IQ1_S", "NVFP4", "COPY"}) EXPECT_NE(help.out.find(type), std::string::npos) << type;
}

} // namespace
} // namespace wb
