// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <map>

// `wb scan`, and `wb inspect` of files that a worker reads, seen from outside: the worker is the program itself.
namespace wb {
namespace {

using test::runWb;

constexpr const char* plainPickle = "\x80\x02}X\x01\x00\x00\x00"
                                    "aK\x01s.";

std::string withNul(const char* begin, std::size_t length) { return {begin, length}; }

TEST(WbScan, SaysThatPlainDataAreClean) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("plain.pkl", withNul(plainPickle, 13));
    const auto run = runWb({"scan", path.string(), "--json"});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["verdict"], "clean");
    EXPECT_EQ(json["kind"], "tensors only");
    EXPECT_EQ(json["files"][0]["format"], "pickle");
    EXPECT_EQ(json["files"][0]["streams"], 1);
    EXPECT_EQ(json["files"][0]["opcodes"], 6);
    EXPECT_TRUE(json["calls"].empty());
}

TEST(WbScan, NamesWhatLoadingWouldCall) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("attack.bin", "cos\nsystem\n(S'echo hello'\ntR.");
    const auto run = runWb({"scan", path.string(), "--json"});
    EXPECT_EQ(run.status, 4);
    const auto json = run.json();
    EXPECT_EQ(json["verdict"], "dangerous");
    const auto call = json["calls"].back();
    EXPECT_EQ(call["module"], "os");
    EXPECT_EQ(call["name"], "system");
    EXPECT_EQ(call["level"], "D");
    EXPECT_EQ(call["how"], "reduce");
    EXPECT_EQ(call["position"], 27);
    EXPECT_EQ(call["arguments"], "(b'echo hello',)");
    const auto text = runWb({"scan", path.string()});
    EXPECT_EQ(text.status, 4);
    EXPECT_NE(text.out.find("os.system"), std::string::npos);
    EXPECT_EQ(text.out.find("safe"), std::string::npos);
}

// What inspect refuses or shows as broken is never clean, whatever its format.
TEST(WbScan, IsSuspiciousOfBrokenFiles) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const test::TemporaryFolder folder;
    const auto shared = test::shared();
    const auto check = [&](const char* name, double share) {
        const auto bytes = test::readFile(shared / name);
        const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const auto keep = static_cast<std::size_t>(static_cast<double>(whole.size()) * share);
        const auto file = folder.file("cut" + std::filesystem::path(name).extension().string(), whole.substr(0, keep));
        const auto run = runWb({"scan", file.string(), "--json"});
        EXPECT_EQ(run.status, 3) << name << " cut at " << keep << "\n" << run.out;
        EXPECT_EQ(run.json()["kind"], "malformed") << name << " cut at " << keep;
        EXPECT_FALSE(run.json()["findings"].empty()) << name << " cut at " << keep;
        EXPECT_EQ(runWb({"scan", (shared / name).string()}).status, 0) << name;
    };
    for (const char* name :
         {"corpus/llm/stories260K.gguf", "corpus/safetensors/model.safetensors", "fixtures/jax/flax_dtypes.msgpack",
          "corpus/keras_series/fer2013_mini_XCEPTION.00-0.47.hdf5", "corpus/face_detector/models/pretrained/version-RFB-320.pth",
          "corpus/picklescan/data2/int_arrays.npz"})
        for (const double share : {0.5, 0.97}) check(name, share);
}

TEST(WbScan, IsSuspiciousOfWhatItDoesNotKnow) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(runWb({"scan", folder.file("unknown.pkl", "cnobody\nKnows\n)R.").string()}).status, 3);
    EXPECT_EQ(runWb({"scan", folder.file("broken.bin", "\x01\x02\x03\x04").string()}).status, 3);
    EXPECT_EQ(runWb({"scan", (folder.path() / "absent.pkl").string()}).status, 1);
    EXPECT_EQ(runWb({"scan"}).status, 2);
}

TEST(WbScan, WalksFoldersInTheOrderOfNames) {
    const test::TemporaryFolder folder;
    (void)folder.file("b.pkl", "cos\nsystem\n.");
    (void)folder.file("a.txt", "hello\n");
    const auto run = runWb({"scan", folder.path().string(), "--json"});
    EXPECT_EQ(run.status, 4);
    const auto json = run.json();
    EXPECT_EQ(json["files"][0]["path"], "a.txt");
    EXPECT_EQ(json["files"][0]["verdict"], "clean");
    EXPECT_EQ(json["files"][1]["path"], "b.pkl");
    EXPECT_EQ(json["calls"][0]["file"], "b.pkl");
}

// Bytes that nothing accuses have the format of what they belong to: their neighbour, or the folder around them.
TEST(WbScan, TakesDataForAPartOfTheirModel) {
    const test::TemporaryFolder folder;
    const std::string bytes(64, '\1');
    const auto alone = folder.file("alone.bin", bytes);
    EXPECT_EQ(runWb({"scan", alone.string()}).status, 3);
    (void)folder.file("a.param", "7767517\n");
    (void)folder.file("b.xml", "<?xml version=\"1.0\"?><net name=\"b\">");
    (void)folder.file("c.index", "no table");
    for (const auto& [name, format] :
         {std::pair{"a.bin", "ncnn"}, {"b.bin", "openvino"}, {"c.data-00000-of-00001", "tf-checkpoint"}}) {
        const auto run = runWb({"scan", folder.file(name, bytes).string(), "--json"});
        EXPECT_EQ(run.status, 0) << name << run.err;
        EXPECT_EQ(run.json()["files"][0]["format"], format) << name;
    }
    (void)folder.file("z/.zarray", "{}");
    (void)folder.file("z/0.0", bytes);
    const auto chunks = runWb({"scan", (folder.path() / "z").string(), "--json"});
    EXPECT_EQ(chunks.status, 0) << chunks.err;
    EXPECT_EQ(chunks.json()["files"][1]["format"], "zarr");
    (void)folder.file("a.bin", "cos\nsystem\n(S'x'\ntR."); // what is a pickle stays one
    EXPECT_EQ(runWb({"scan", (folder.path() / "a.bin").string()}).status, 4);
}

// A folder's status is that of what could be checked; each file has its line.
TEST(WbScan, ListsTheVerdictOfEachFile) {
    const test::TemporaryFolder folder;
    (void)folder.file("a.pkl", withNul(plainPickle, 13));
    (void)folder.file("b.bin", "\x01\x02\x03\x04");
    (void)folder.file("c.py", "import os\nos.system('id')\n");
    const auto json = runWb({"scan", folder.path().string(), "--json"});
    EXPECT_EQ(json.status, 0) << json.err;
    EXPECT_EQ(json.json()["verdict"], "clean");
    EXPECT_EQ(json.json()["not_checked"], 2);
    EXPECT_EQ(json.json()["files"][1]["verdict"], "not checked");
    EXPECT_EQ(json.json()["files"][1]["kind"], "unknown");
    EXPECT_EQ(json.json()["findings"].size(), 2u);
    const auto text = runWb({"scan", folder.path().string()});
    EXPECT_NE(text.out.find("3 files: 1 clean, 2 not checked, 0 suspicious, 0 dangerous"), std::string::npos) << text.out;
    const auto alone = runWb({"scan", (folder.path() / "c.py").string(), "--json"});
    EXPECT_EQ(alone.status, 3);
    EXPECT_EQ(alone.json()["verdict"], "not checked");
    (void)folder.file("attack.pkl", "cos\nsystem\n(S'x'\ntR.");
    const auto attack = runWb({"scan", folder.path().string()});
    EXPECT_EQ(attack.status, 4);
    EXPECT_NE(attack.out.find("D is dangerous code"), std::string::npos) << attack.out;
}

TEST(WbScan, WritesItsLog) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("unknown.bin", "\x01\x02\x03\x04");
    const auto log = folder.path() / "wb.log";
    EXPECT_EQ(runWb({"scan", path.string(), "--log", log.string()}).status, 3);
    EXPECT_FALSE(test::readFile(log).empty());
}

TEST(WbScan, ListsOpcodesWhereItIsAsked) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("call.pkl", std::string("\x80\x02"
                                                          "cposix\nsystem\nX\x04\0\0\0true\x85R.",
                                                          28));
    EXPECT_FALSE(runWb({"scan", path.string(), "--json"}).json()["files"][0].contains("disassembly"));
    const auto run = runWb({"scan", path.string(), "--json", "--disassemble"});
    EXPECT_EQ(run.status, 4) << run.err;
    const auto json = run.json();
    const auto& listed = json["files"][0]["disassembly"];
    ASSERT_EQ(listed.size(), 6u) << run.out;
    EXPECT_EQ(listed[0], nlohmann::json({{"position", 0}, {"opcode", "PROTO"}, {"argument", "2"}}));
    EXPECT_EQ(listed[1], nlohmann::json({{"position", 2}, {"opcode", "GLOBAL"}, {"argument", "posix system"}}));
    EXPECT_EQ(listed[2]["argument"], "true");
    EXPECT_EQ(listed[4], nlohmann::json({{"position", 26}, {"opcode", "REDUCE"}, {"argument", nullptr}}));
    EXPECT_NE(runWb({"scan", path.string(), "--disassemble"}).out.find("GLOBAL"), std::string::npos);
}

// Everything in these folders as corpus/README.md has it: the worst of them is dangerous, and the harmless ones are told apart.
TEST(WbScan, JudgesTheCorpus) {
    WB_NEED_SHARED("corpus/picklescan");
    const auto corpus = test::shared() / "corpus";
    EXPECT_EQ(runWb({"scan", (corpus / "picklescan").string()}).status, 4);
    EXPECT_EQ(runWb({"scan", (corpus / "modelaudit").string()}).status, 4);
    // The exit status of each file alone says its verdict, which scan_test holds against the list.
    const std::map<std::string, int> statuses = {{"clean", 0}, {"not checked", 3}, {"suspicious", 3}, {"dangerous", 4}};
    std::map<int, std::size_t> seen;
    for (const char* folder : {"picklescan", "modelaudit"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus / folder)) {
            if (!entry.is_regular_file()) continue;
            const auto run = runWb({"scan", entry.path().string(), "--json"});
            EXPECT_EQ(run.status, statuses.at(run.json()["verdict"].get<std::string>())) << entry.path();
            ++seen[run.status];
        }
    EXPECT_EQ(seen, (std::map<int, std::size_t>{{0, 8}, {3, 9}, {4, 58}}));
}

TEST(WbInspectTorch, ListsTensorsWithTheirHashes) {
    const auto run = runWb({"inspect", (test::data() / "torch/views.pt").string(), "--json", "--sha256", "--stats"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["format"], "pytorch");
    EXPECT_EQ(json["version"], "zip");
    EXPECT_EQ(json["verdict"], "clean");
    EXPECT_EQ(json["kind"], "tensors only");
    const auto& base = json["tensors"][0];
    EXPECT_EQ(base["name"], "base");
    EXPECT_EQ(base["sha256"].get<std::string>().substr(0, 6), "ad7983");
    EXPECT_EQ(base["member"], "views/data/0");
    EXPECT_EQ(base["stats"]["count"], 42);
    const auto& transposed = json["tensors"][1];
    EXPECT_EQ(transposed["strides"], nlohmann::json({1, 6}));
    EXPECT_EQ(transposed["sha256"].get<std::string>().substr(0, 6), "b86c62");
    EXPECT_EQ(transposed["aliases"][0], "base");
}

} // namespace
} // namespace wb
