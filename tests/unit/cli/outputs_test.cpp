// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

// No option that writes may replace what the command reads, or another output, and none replaces an existing file without --force.
// The table names the role of every option of every command, so that a new option has to be looked at.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

using OutputWords = std::vector<std::string>;
using Names = std::set<std::string>;

struct Command {
    OutputWords words; // that it needs; "IN" and "OUT" stand for files
    Names reads;       // options whose word is a file or folder that is read
    Names writes;      // options whose word is a file that is written, besides --log, which all have
    Names others;
};

Names operator+(Names a, const Names& b) {
    a.insert(b.begin(), b.end());
    return a;
}

const Names everywhere = {"--help", "--json", "--quiet", "--threads", "--device", "--force", "--log", "--yes", "--verify"};
const Names sampling = {"--temperature",
                        "--top-k",
                        "--top-p",
                        "--min-p",
                        "--typical",
                        "--repeat-penalty",
                        "--repeat-last-n",
                        "--dry-base",
                        "--dry-allowed",
                        "--presence-penalty",
                        "--frequency-penalty",
                        "--dry-multiplier",
                        "--dry-last-n",
                        "--xtc-threshold",
                        "--xtc-probability",
                        "--mirostat",
                        "--mirostat-tau",
                        "--mirostat-eta",
                        "--adaptive-decay",
                        "--adaptive-target",
                        "--logit-bias",
                        "--seed",
                        "--max-tokens",
                        "--context",
                        "--reasoning-budget",
                        "--stop",
                        "--kv",
                        "--gpu-layers",
                        "--ignore-eos",
                        "--no-remember",
                        "--exact",
                        "--prompt",
                        "--system"};
const Names mix = {"--pure",
                   "--tensor-type",
                   "--output-type",
                   "--leave-output-tensor",
                   "--token-embedding-type",
                   "--allow-requantize",
                   "--include-weights",
                   "--exclude-weights",
                   "--override-kv",
                   "--output-tensor-type"};
const Names split = {"--shard-size", "--max-tensors", "--no-tensor-first-split"};
const Names weights =
    split + Names{"--to", "--tensor", "--rename", "--verify", "--yes", "--dry-run", "--restart", "--with-optimizer"};
const Names network = {"--offline", "--proxy", "--send-token", "--retries"};

const std::map<std::string, Command> table = {
    {"inspect",
     {{"IN"},
      {"PATH"},
      {"--export"},
      {"--tensor", "--filter", "--series", "--stats", "--sha256", "--spectral", "--bins", "--channels", "--exit-code"}}},
    {"scan", {{"IN"}, {"PATH"}, {"--sarif"}, {"--disassemble"}}},
    {"verify", {{"IN"}, {"PATH"}, {}, {"--deep", "--hash", "--expect"}}},
    {"diff", {{"IN", "IN"}, {"A", "B", "--map"}, {"--save-map"}, {"--tensor", "--filter", "--structure", "--exit-code"}}},
    {"quantize",
     {{"IN", "OUT", "Q8_0"},
      {"IN", "--plan", "--imatrix", "--tensor-type-file"},
      {"OUT", "--save-plan", "--report"},
      mix + split +
          Names{"TYPE", "--budget", "--budget-exact", "--keep-split", "--prune-layers", "--dry-run", "--restart", "--compare",
                "--context", "--memory", "--exact"}}},
    {"convert",
     {{"IN", "OUT"},
      {"IN", "--plan", "--imatrix", "--tensor-type-file", "--metadata", "--template", "--base", "--adapter", "--graph"},
      {"OUT", "--save-plan", "--report"},
      mix + weights +
          Names{"--type", "--outtype", "--model-name", "--pre", "--vocab-only", "--keep-quantized", "--modelfile", "--run"}}},
    {"merge",
     {{"IN", "OUT"},
      {"BASE", "--plan", "--adapter", "--with", "--metadata", "--recipe"},
      {"OUT", "--save-plan", "--save-recipe", "--report"},
      weights + Names{"--compare-parents", "--type", "--method", "--base-weight", "--t", "--density", "--lambda", "--seed",
                      "--normalize", "--rescale", "--rule", "--layers", "--tokenizer"}}},
    {"logits",
     {{"IN", "--tokens", "1", "--out", "OUT"},
      {"MODEL"},
      {"--out", "--hidden", "--mtp"},
      {"--tokens", "--all", "--prefill", "--gpu-layers", "--exact"}}},
    {"generate", {{"IN"}, {"MODEL", "--messages", "--grammar", "--json-schema"}, {}, sampling}},
    {"chat", {{"IN"}, {"MODEL", "--load", "--grammar", "--json-schema"}, {"--save"}, sampling}},
    {"perplexity",
     {{"IN", "--file", "IN"},
      {"MODEL", "--file", "--base-logits"},
      {"--save-logits"},
      {"--context", "--kv", "--gpu-layers", "--exact"}}},
    {"bench", {{"IN"}, {"MODEL"}, {}, {"--prompt", "--generate", "--repeat", "--depth", "--kv", "--gpu-layers", "--exact"}}},
    {"tokenize",
     {{"IN"}, {"MODEL", "--file"}, {}, {"--text", "--stdin-json", "--detokenize", "--pre", "--no-special", "--special"}}},
    {"template", {{"IN", "--messages", "IN"}, {"MODEL_OR_FILE", "--messages"}, {}, {}}},
    {"memory",
     {{"IN"},
      {"WHAT", "--mmproj", "--lora", "--draft", "--measured"},
      {"--measured-csv", "--export"},
      {"--shape",         "--batch",         "--context",        "--kv",
       "--ubatch",        "--parallel",      "--kv-unified",     "--outputs",
       "--no-flash",      "--swa-full",      "--gpu-layers",     "--type",
       "--mtp",           "--cpu-experts",   "--columns",        "--gpu",
       "--gpu-memory",    "--split",         "--reserve",        "--runtime",
       "--draft-tokens",  "--backend",       "--build",          "--utilization",
       "--train",         "--rank",          "--targets",        "--clear-measured",
       "--base",          "--double-quant",  "--dora",           "--rslora",
       "--sequence",      "--optimizer",     "--virtual-tokens", "--grad-fp32",
       "--checkpointing", "--flash",         "--eager",          "--ema",
       "--offload",       "--dpo-reference", "--zero",           "--no-checkpointing",
       "--gpus",          "--chunked-loss"}}},
    {"library", {{"list"}, {"--store"}, {}, {"ACTION", "ID", "--filter", "--duplicates", "--yes"}}},
    {"search",
     {{"TEXT"},
      {"--ca"},
      {},
      network + Names{"TEXT", "--hub", "--author", "--filter", "--task", "--license", "--gated", "--params", "--quant",
                      "--capability", "--sort", "--limit"}}},
    {"download",
     {{"hf:a/b"},
      {"--ca"},
      {"--to"},
      network + Names{"ID", "FILES", "--include", "--exclude", "--revision", "--cache", "--alternate", "--connections",
                      "--limit-rate", "--dry-run"}}},
    {"unfinished", {{}, {}, {}, {"--discard"}}},
    {"devices", {{}, {}, {}, {"--measure"}}},
};

// The first words of the lines of a help text that name options, positional words and commands.
OutputWords namesIn(const std::string& help) {
    OutputWords names;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  ") || line.size() < 3 || line[2] == ' ') continue;
        std::istringstream words(line.substr(2, line.find(' ', 2) - 2));
        for (std::string name; std::getline(words, name, ',');)
            if (name != "-h") names.push_back(name);
    }
    return names;
}

std::map<std::string, std::string> outputContents(const fs::path& folder) {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const auto bytes = test::readFile(entry.path());
        contents[entry.path().string()] = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return contents;
}

// A command line with files put where its options want them.
class Line {
public:
    Line(const std::string& name, const test::TemporaryFolder& folder) : m_name(name), m_command(table.at(name)) {
        m_words = {name};
        for (const std::string& word : m_command.words)
            m_words.push_back(word == "IN"    ? (folder.path() / "model/tiny model.gguf").string()
                              : word == "OUT" ? (folder.path() / "out.gguf").string()
                                              : word);
    }

    Line& with(const std::string& option, const std::string& path) {
        const bool isPositional = !option.starts_with("--");
        if (isPositional) m_words[option == "OUT" || option == "B" ? 2 : 1] = path;
        else if (const auto given = std::ranges::find(m_words, option); given != m_words.end()) *(given + 1) = path;
        else if (m_name == "memory" && option == "--export") m_words.insert(m_words.end(), {option, "vllm", path});
        else m_words.insert(m_words.end(), {option, option == "--store" ? "folder=" + path : path});
        return *this;
    }

    const OutputWords& words() const { return m_words; }

private:
    std::string m_name;
    const Command& m_command;
    OutputWords m_words;
};

std::string shown(const OutputWords& words) {
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
}

struct Outputs : testing::Test {
    const test::TemporaryFolder folder;

    void SetUp() override {
        const fs::path model = test::writeModel(folder);
        fs::create_directories(folder.path() / "model");
        fs::rename(model, folder.path() / "model/tiny model.gguf");
    }

    std::string at(const std::string& name) const { return (folder.path() / name).string(); }

    // Exit 2 in one sentence, and every file as it was.
    void expectRefused(const OutputWords& words) const {
        const auto before = outputContents(folder.path());
        const auto run = runWb(words);
        EXPECT_EQ(run.status, 2) << shown(words) << run.err;
        EXPECT_EQ(run.errorLines(), 1) << shown(words) << run.err;
        const bool isSaid = run.err.find("is read here") != std::string::npos || run.err.find("two outputs") != std::string::npos;
        EXPECT_TRUE(isSaid) << shown(words) << run.err;
        EXPECT_TRUE(outputContents(folder.path()) == before) << shown(words);
    }
};

TEST_F(Outputs, EveryOptionHasARole) {
    const OutputWords commands = namesIn(runWb({"--help"}).out);
    EXPECT_GE(commands.size(), table.size());
    for (const std::string& command : commands) {
        if (command.starts_with("-")) continue;
        ASSERT_TRUE(table.contains(command)) << command << " is not in the table of this test; name the roles of its options.";
        const Command& known = table.at(command);
        const Names all = everywhere + known.reads + known.writes + known.others;
        const auto help = runWb({command, "--help"}).out;
        const OutputWords options = namesIn(help);
        EXPECT_GE(options.size(), 5u) << help;
        for (const std::string& option : options)
            EXPECT_TRUE(all.contains(option)) << command << " " << option << ": does it read or write a file? Declare that with "
                                              << "Command::files, and add it to the table of this test.";
    }
}

TEST_F(Outputs, AreNothingThatIsRead) {
    for (const auto& [name, command] : table)
        for (const std::string& read : command.reads)
            for (const std::string& written : command.writes + Names{"--log"}) {
                const auto file = folder.file("read.txt", "text\n");
                const std::string hard = at("hard.txt"), soft = at("soft.txt");
                fs::create_hard_link(file, hard);
                fs::create_symlink(file, soft);
                for (const std::string& output : {file.string(), folder.path().string() + "/./read.txt", hard, soft})
                    expectRefused(Line(name, folder).with(read, file.string()).with(written, output).words());
                fs::remove(hard);
                fs::remove(soft);
            }
}

TEST_F(Outputs, AreNoFilesOfAFolderThatIsRead) {
    for (const auto& [name, command] : table)
        for (const std::string& written : command.writes + Names{"--log"}) {
            if (command.reads.empty()) continue;
            const std::string in = name == "library" ? "--store" : name == "download" || name == "search" ? "" : command.words[0];
            if (in.empty()) continue;
            const std::string positional =
                name == "library"
                    ? in
                    : *std::ranges::find_if(command.reads, [](const std::string& option) { return !option.starts_with("--"); });
            const auto inside = folder.file("model/notes/read.txt", "text\n");
            const std::string soft = at("soft.txt");
            fs::create_symlink(inside, soft);
            for (const std::string& output : {inside.string(), soft})
                expectRefused(Line(name, folder).with(positional, at("model")).with(written, output).words());
            fs::remove(soft);
        }
}

TEST_F(Outputs, HaveNamesOfTheirOwn) {
    for (const auto& [name, command] : table) {
        const Names all = command.writes + Names{"--log"};
        for (const std::string& one : all)
            for (const std::string& other : all) {
                if (one >= other) continue;
                expectRefused(Line(name, folder).with(one, at("new")).with(other, at("new")).words());
            }
    }
    for (const char* name : {"out.gguf.part", "out.gguf.part.journal"})
        expectRefused(Line("quantize", folder).with("--report", at(name)).words());
}

TEST_F(Outputs, ReplaceExistingFilesOnlyWithForce) {
    const Names ofJobs = {"OUT", "--to"};
    for (const auto& [name, command] : table)
        for (const std::string& written : command.writes) {
            if (ofJobs.contains(written)) continue;
            const auto file = folder.file("kept.txt", "precious");
            const auto words = Line(name, folder).with(written, file.string()).words();
            const auto run = runWb(words);
            EXPECT_EQ(run.status, 1) << shown(words) << run.err;
            EXPECT_NE(run.err.find("kept.txt"), std::string::npos) << shown(words) << run.err;
            EXPECT_NE(run.err.find("--force"), std::string::npos) << shown(words) << run.err;
            EXPECT_EQ(outputContents(folder.path())[file.string()], "precious") << shown(words);
        }
    const test::StateFolder state;
    const std::string model = at("model/tiny model.gguf");
    for (const OutputWords& words :
         {OutputWords{"inspect", model, "--tensor", "ones", "--export"}, OutputWords{"scan", model, "--sarif"},
          OutputWords{"quantize", model, at("out.gguf"), "Q8_0", "--dry-run", "--report"},
          OutputWords{"quantize", model, at("out.gguf"), "Q8_0", "--dry-run", "--save-plan"},
          OutputWords{"memory", "7B", "--export", "vllm"}, OutputWords{"memory", "--measured-csv"}}) {
        OutputWords forced = words;
        const auto file = folder.file("kept.npy", "precious");
        forced.insert(forced.end(), {file.string(), "--force"});
        const auto run = runWb(forced);
        EXPECT_EQ(run.status, 0) << shown(forced) << run.err;
        EXPECT_NE(outputContents(folder.path())[file.string()], "precious") << shown(forced);
    }
}

TEST_F(Outputs, GoToStdout) {
    const std::string model = at("model/tiny model.gguf");
    EXPECT_EQ(runWb({"scan", model, "--sarif", "-"}).json()["version"], "2.1.0");
    EXPECT_EQ(runWb({"quantize", model, at("out.gguf"), "Q8_0", "--dry-run", "--save-plan", "-"}).json()["weighbridge_plan"], 2);
    const auto npy = runWb({"inspect", model, "--tensor", "ones", "--export", "-"});
    EXPECT_TRUE(npy.out.starts_with("\x93NUMPY")) << npy.err;
    EXPECT_EQ(npy.out.size(), 128u + 16u);
    EXPECT_EQ(runWb({"scan", model, "--sarif", "-", "--json"}).status, 2);
    EXPECT_EQ(runWb({"quantize", model, "-", "Q8_0"}).status, 2);
    EXPECT_FALSE(fs::exists("-"));
}

TEST_F(Outputs, OfInferenceReplaceNothing) {
    WB_NEED_SHARED("arch/llama");
    fs::copy_file(test::shared() / "arch/llama/model.gguf", at("z.gguf"));
    const auto text = folder.file("text.txt", std::string(4000, 'a'));
    const auto before = test::readFile(at("z.gguf"));
    for (const OutputWords& words :
         {OutputWords{"logits", at("z.gguf"), "--tokens", "1", "--out", at("z.gguf")},
          OutputWords{"logits", at("z.gguf"), "--tokens", "1", "--out", at("a.f32"), "--hidden", at("z.gguf")},
          OutputWords{"perplexity", at("z.gguf"), "--file", text.string(), "--save-logits", at("z.gguf")},
          OutputWords{"memory", at("z.gguf"), "--export", "vllm", at("z.gguf")},
          OutputWords{"memory", at("z.gguf"), "--measured-csv", at("z.gguf")},
          OutputWords{"scan", at("z.gguf"), "--sarif", at("z.gguf"), "--force"}}) {
        expectRefused(words);
        EXPECT_TRUE(test::readFile(at("z.gguf")) == before) << shown(words);
    }
    const OutputWords logits = {"logits", at("z.gguf"), "--tokens", "1", "--out", at("a.f32")};
    ASSERT_EQ(runWb(logits).status, 0);
    EXPECT_EQ(runWb(logits).status, 1);
    OutputWords forced = logits;
    forced.push_back("--force");
    EXPECT_EQ(runWb(forced).status, 0);
    const auto streamed = runWb({"logits", at("z.gguf"), "--tokens", "1", "--out", "-"});
    EXPECT_EQ(streamed.out.size(), test::readFile(at("a.f32")).size());
}

} // namespace
} // namespace wb
