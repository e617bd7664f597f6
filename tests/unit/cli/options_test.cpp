// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"

#include <gtest/gtest.h>

#include <set>

namespace wb {
namespace {

using test::runWb;

// Options whose one value is a list may be continued by giving them again.
const std::set<std::string> listOptions = {"--tokens", "--detokenize"};

TEST(Options, TakeTheLastOfTwoValues) {
    CLI::App program;
    cli::Context context;
    std::size_t singles = 0;
    for (const cli::Command& command : addCommands(program, context))
        for (const CLI::Option* option : command.app->get_options()) {
            const bool isFlag = option->get_items_expected_max() == 0;
            const bool isRepeated = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
            if (isFlag || isRepeated || option->get_positional() || listOptions.contains(option->get_name())) continue;
            ++singles;
            EXPECT_EQ(option->get_multi_option_policy(), CLI::MultiOptionPolicy::TakeLast)
                << command.app->get_name() << " " << option->get_name();
        }
    EXPECT_GT(singles, 150u);
}

TEST(Options, OfEveryCommandTakeTheLastValueWhenParsed) {
    const test::TemporaryFolder folder;
    const std::string model = writeModel(folder).string();
    const auto inspected =
        runWb({"inspect", model, "--stats", "--bins", "4", "--threads", "1", "--bins", "8", "--threads", "2", "--json"});
    ASSERT_EQ(inspected.status, 0) << inspected.err;
    EXPECT_EQ(inspected.json()["tensors"][0]["stats"]["histogram"]["counts"].size(), 8u);
    const auto filtered = runWb({"inspect", model, "--filter", "name:count", "--filter", "name:ones", "--json"}).json();
    ASSERT_EQ(filtered["tensors"].size(), 1u);
    EXPECT_EQ(filtered["tensors"][0]["name"], "ones");
    EXPECT_EQ(runWb({"inspect", model, "--channels", "row", "--channels", "neither"}).status, 2);
    const auto repeated = runWb({"inspect", model, "--tensor", "ones", "--tensor", "count*", "--json"}).json();
    EXPECT_EQ(repeated["tensors"].size(), 2u) << "a repeatable option keeps all its values";
    const auto both = runWb({"inspect", model, "--json", "--json"});
    EXPECT_EQ(both.status, 0) << both.err;
}

// One sentence with the path as it was typed, for models and for any other file that is read.
TEST(Options, ShowAMissingPathAsAWhole) {
    const test::TemporaryFolder folder;
    const std::string model = folder.file("model.gguf", "GGUF").string();
    const std::string missing = (folder.path() / "no/such/file.gguf").string();
    const std::vector<std::vector<std::string>> lines = {{"inspect", missing},
                                                         {"scan", missing},
                                                         {"verify", missing},
                                                         {"diff", missing, model},
                                                         {"bench", missing},
                                                         {"quantize", missing, folder.path() / "o.gguf", "Q8_0"},
                                                         {"tokenize", missing, "--text", "a"},
                                                         {"convert", missing, folder.path() / "o.gguf"},
                                                         {"template", model, "--messages", missing}};
    for (const auto& words : lines) {
        const auto run = test::runWb(words);
        EXPECT_EQ(run.status, 1) << words[0];
        EXPECT_EQ(run.err, "wb: " + missing + " does not exist; check the path.\n") << words[0];
    }
}

TEST(Options, RefuseAnEmptyPath) {
    for (const char* command : {"inspect", "scan", "verify", "bench", "memory"}) {
        const auto run = test::runWb({command, ""});
        EXPECT_EQ(run.status, 2) << command;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find("must not be empty"), std::string::npos) << run.err;
    }
}

TEST(Options, NameTheWordsThatTheyTake) {
    const auto run = runWb({"library", "burn"});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.errorLines(), 1);
    EXPECT_NE(run.err.find("list, verify, remove"), std::string::npos) << run.err;
}

} // namespace
} // namespace wb
