// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "app/cli/interrupt.h"
#include "app/cli/wb.h"
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/quantize/child.h"
#include "tests/unit/support/system_calls.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>

// Runs that were killed: listed, resumed and discarded.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

// A home without runs of the user's own.
class WbUnfinished : public testing::Test {
protected:
    WbUnfinished() { ::setenv("XDG_CONFIG_HOME", (folder.path() / "config").c_str(), 1); }
    ~WbUnfinished() override { ::unsetenv("XDG_CONFIG_HOME"); }

    // Runs wb in this program and kills it when it is about to rename (`rename`) or to bring to the disk what it wrote, which no
    // journal records yet.
    void kill(const std::vector<std::string>& words, bool rename) {
        const auto killAtPart = [](const fs::path& file) -> int {
            if (file.extension() == ".part" && file.filename().string().starts_with("out")) ::kill(::getpid(), SIGKILL);
            return 0;
        };
        ASSERT_EQ(quantize::inChild([&] {
                      test::SystemCalls calls;
                      if (rename) calls.rename = calls.renameBeside = killAtPart;
                      else calls.fsync = killAtPart;
                      return runHere(words) == 0;
                  }),
                  -1);
    }
    // Runs wb in this program; its exit status.
    static int runHere(std::vector<std::string> words) {
        words.insert(words.begin(), "wb");
        return cli::run(std::move(words));
    }
    std::vector<std::string> quantize(const fs::path& to) const {
        return {"quantize", model.string(), to.string(), "Q4_K_M", "--device", "cpu", "--threads", "1", "--quiet"};
    }
    static nlohmann::json runs() { return runWb({"unfinished", "--json"}).json()["runs"]; }
    fs::path beside(const char* ending) const { return fs::path(out) += ending; }

    test::TemporaryFolder folder;
    fs::path model = (test::shared() / "corpus/llm/stories260K.gguf").lexically_normal();
    fs::path out = folder.path() / "out.gguf";
};

TEST_F(WbUnfinished, ARefusedRunLeavesNoRecord) {
    WB_NEED_SHARED("corpus/llm");
    const auto refused = runWb(quantize(folder.path() / "none/out.gguf"));
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("does not exist"), std::string::npos) << refused.err;
    EXPECT_TRUE(runs().empty()) << runs().dump();
}

TEST_F(WbUnfinished, ListsAKilledConversionThatThenResumes) {
    WB_NEED_SHARED("arch");
    const std::vector<std::string> convert = {"convert", (test::shared() / "arch/llama/hf").string(), out.string(), "--quiet"};
    kill(convert, true);
    EXPECT_FALSE(fs::exists(out));
    const nlohmann::json list = runs();
    ASSERT_EQ(list.size(), 1u) << list;
    EXPECT_EQ(list[0]["kind"], "convert");
    ASSERT_EQ(runWb(convert).status, 0);
    EXPECT_TRUE(test::readFile(out) == test::readFile(test::shared() / "arch/llama/model.gguf"));
    EXPECT_TRUE(runs().empty());
}

TEST_F(WbUnfinished, ListsAKilledRunThatThenResumes) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    ASSERT_EQ(runWb(quantize(folder.path() / "straight.gguf")).status, 0);
    EXPECT_TRUE(runs().empty());
    for (const bool rename : {false, true}) {
        kill(quantize(out), rename);
        ASSERT_FALSE(fs::exists(out));
        const auto listed = runs();
        ASSERT_EQ(listed.size(), 1u);
        EXPECT_EQ(listed[0]["kind"], "quantize");
        EXPECT_EQ(listed[0]["target"], out.string());
        EXPECT_EQ(listed[0]["source"], model.string());
        EXPECT_EQ(listed[0]["percent"], rename ? 100 : 0);
        EXPECT_GT(listed[0]["bytes"], 100'000);
        EXPECT_EQ(listed[0]["held"], false);
        EXPECT_EQ(std::string(listed[0]["changed"]).size(), std::string("2026-01-01T00:00:00Z").size());
        const auto table = runWb({"unfinished"});
        EXPECT_NE(table.out.find("out.gguf"), std::string::npos) << table.out;
        const auto resumed = runWb(quantize(out));
        EXPECT_EQ(resumed.status, 0) << resumed.err;
        EXPECT_EQ(test::readFile(out), test::readFile(folder.path() / "straight.gguf"));
        EXPECT_TRUE(runs().empty());
        fs::remove(out);
    }
}

TEST_F(WbUnfinished, ACanceledRunSaysWhatIsKeptAndHowToGoOn) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    WB_NEED_SHARED("arch");
    const std::string source = (test::shared() / "arch/llama/hf").string(), target = out.string();
    const std::vector<std::vector<std::string>> commands = {
        {"quantize", model.string(), target, "Q4_K_M", "--device", "cpu"},
        {"convert", source, target},
        {"convert", source, (folder.path() / "new.safetensors").string()},
    };
    for (const std::vector<std::string>& words : commands) {
        const fs::path made(words[2]);
        const auto said = (folder.path() / "said").string();
        ASSERT_EQ(quantize::inChild([&] {
                      if (!std::freopen(said.c_str(), "w", stderr)) return false;
                      const std::stop_token stop = cli::stopOnInterrupt();
                      test::SystemCalls calls;
                      calls.fsync = [stop](const fs::path&) -> int { // Ctrl+C while it works
                          if (!stop.stop_requested()) ::kill(::getpid(), SIGINT);
                          while (!stop.stop_requested()) std::this_thread::yield();
                          return 0;
                      };
                      return runHere(words) == 130 && std::fflush(stderr) == 0;
                  }),
                  0);
        EXPECT_FALSE(fs::exists(made));
        EXPECT_TRUE(fs::exists(fs::path(made) += ".part.journal"));
        std::ifstream file(said);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        EXPECT_NE(text.find("Progress is saved. Run the same command to resume"), std::string::npos) << text;
        const auto discards = text.find("wb unfinished --discard ");
        ASSERT_NE(discards, std::string::npos) << text;
        EXPECT_NE(text.find(made.string(), discards), std::string::npos) << text;
        EXPECT_EQ(runWb(words).status, 0);
        EXPECT_TRUE(fs::exists(made));
        fs::remove(made);
    }
}

TEST_F(WbUnfinished, DiscardsTheWorkAndItsRecord) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    kill(quantize(out), true);
    ASSERT_TRUE(fs::exists(beside(".part")) && fs::exists(beside(".part.journal")));
    const auto discarded = runWb({"unfinished", "--discard", out.string()});
    EXPECT_EQ(discarded.status, 0) << discarded.err;
    EXPECT_FALSE(fs::exists(beside(".part")) || fs::exists(beside(".part.journal")));
    EXPECT_TRUE(runs().empty());
    EXPECT_TRUE(fs::is_empty(folder.path() / "config/weighbridge/unfinished"));
    const auto again = runWb({"unfinished", "--discard", out.string()});
    EXPECT_EQ(again.status, 1);
    EXPECT_EQ(again.errorLines(), 1);
    EXPECT_NE(again.err.find("out.gguf"), std::string::npos) << again.err;
}

// The journal is of another form, so its work cannot be taken up.
TEST_F(WbUnfinished, DiscardsARunOfAnEarlierVersion) {
    fs::create_directories(folder.path() / "config/weighbridge/unfinished");
    std::ofstream(folder.path() / "config/weighbridge/unfinished/0123.json")
        << R"({"model":"/models/m.gguf","target":")" << out.string() << R"(","plan":"{}","parts":[")" << beside(".part").string()
        << R"("],"replace":false,"items":12})";
    std::ofstream(beside(".part")) << "some work";
    std::ofstream(beside(".part.journal")) << "weighbridge quantize 7 0123\nwhole 17 9 0000000000000000\n";
    const auto listed = runs();
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0]["kind"], "quantize");
    EXPECT_EQ(listed[0]["source"], "/models/m.gguf");
    EXPECT_TRUE(listed[0]["percent"].is_null());
    EXPECT_EQ(runWb({"unfinished", "--discard", out.string()}).status, 0);
    EXPECT_FALSE(fs::exists(beside(".part")) || fs::exists(beside(".part.journal")));
    EXPECT_TRUE(runs().empty());
}

TEST_F(WbUnfinished, ForgetsARunThatWasRefused) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    folder.file("out.gguf", "precious");
    EXPECT_EQ(runWb(quantize(out)).status, 1);
    EXPECT_TRUE(runs().empty());
    EXPECT_TRUE(fs::is_empty(folder.path() / "config/weighbridge/unfinished"));
}

} // namespace
} // namespace wb

#endif
