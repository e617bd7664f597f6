// SPDX-License-Identifier: MIT
#include "core/convert/run/journal.h"
#include "core/io/digests/sha256.h"
#include "tests/unit/download/loopback.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <random>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace wb::test {
namespace {

nlohmann::json parsedOutput(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

class WbDownload : public LoopbackTest {
protected:
    std::string to() const { return (folder.path() / "to").string(); }

    void addTiny() {
        ServedRepository tiny;
        tiny.id = "acme/tiny";
        tiny.tags = {"gguf", "license:mit"};
        tiny.files = {textFile("README.md", "# Tiny\n"), textFile("config.json", "{}\n"), textFile("empty.txt", ""),
                      formulaFile("model-Q4_K_M.gguf", 300'001, 5), formulaFile("UD-Q2/model.gguf", 200'003, 6)};
        servers.add(tiny);
        tiny.id = "达摩/小模型";
        tiny.chineseName = "小模型";
        servers.addToModelScope(tiny);
    }

    // Starts wb download and kills it after a while; true where it ended before. `written` is what it had written to files by then.
    bool killAfter(std::chrono::microseconds time, int& status, std::uint64_t& written) const {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("HF_ENDPOINT", servers.url("HUB").c_str(), 1);
            ::setenv("HOME", folder.path().c_str(), 1);
            ::setenv("XDG_CONFIG_HOME", (folder.path() / "config").c_str(), 1);
            std::freopen("/dev/null", "w", stdout);
            ::execl(WB_PROGRAM, "wb", "download", "hf:acme/large", "--to", to().c_str(), nullptr);
            ::_exit(127);
        }
        for (auto waited = std::chrono::microseconds(0); waited < time; waited += std::chrono::milliseconds(1)) {
            if (::waitpid(child, &status, WNOHANG) == child) return true;
            ::usleep(1000);
        }
        ::kill(child, SIGSTOP);
        if (::waitpid(child, &status, WUNTRACED) == child && !WIFSTOPPED(status)) return true;
        written = writtenBy(child);
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        return false;
    }

    static std::uint64_t writtenBy(pid_t process) {
        std::ifstream io("/proc/" + std::to_string(process) + "/io");
        for (std::string key; io >> key;)
            if (std::uint64_t bytes = 0; io >> bytes && key == "wchar:") return bytes;
        return 0;
    }
};

TEST_F(WbDownload, FetchesARepositoryAndSaysSo) {
    addTiny();
    const Ran ran = wb({"download", "hf:acme/tiny", "--to", to(), "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const auto json = parsedOutput(ran.out);
    EXPECT_EQ(json["hub"], "hf");
    EXPECT_EQ(json["commit"], std::string(40, 'c'));
    EXPECT_EQ(json["files"].size(), 5u);
    for (const auto& file : json["files"]) EXPECT_EQ(file["status"], "downloaded") << file;
    EXPECT_EQ(readFile(folder.path() / "to/README.md"), toBytes("# Tiny\n"));
    EXPECT_EQ(readFile(folder.path() / "to/UD-Q2/model.gguf").size(), 200'003u);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "to/empty.txt"));
    const auto again = parsedOutput(wb({"download", "hf:acme/tiny", "--to", to(), "--json"}).out);
    EXPECT_EQ(again["bytes_fetched"], 0);
}

TEST_F(WbDownload, TakesPatternsAndRefusesThoseThatMatchNothing) {
    addTiny();
    const auto json = parsedOutput(wb({"download", "hf:acme/tiny", "*.gguf", "--exclude", "UD-*", "--to", to(), "--json"}).out);
    ASSERT_EQ(json["files"].size(), 1u);
    EXPECT_EQ(json["files"][0]["path"], "model-Q4_K_M.gguf");
    const Ran wrong = wb({"download", "hf:acme/tiny", "nothing*", "--to", to()});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("nothing*"), std::string::npos);
}

TEST_F(WbDownload, RefusesOptionsThatSayNothing) {
    addTiny();
    for (const std::vector<std::string>& option : {std::vector<std::string>{"--limit-rate", "5XB"},
                                                   {"--limit-rate", "0"},
                                                   {"--proxy", "ftp://x"},
                                                   {"--connections", "0"},
                                                   {"--cache", "hf", "--revision", "main", "--to", "x"}}) {
        std::vector<std::string> words = {"download", "hf:acme/tiny", "--to", to()};
        words.insert(words.end(), option.begin(), option.end());
        const Ran ran = wb(words);
        EXPECT_EQ(ran.status, 2) << option[1];
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    }
    EXPECT_FALSE(std::filesystem::exists(to()));
}

TEST_F(WbDownload, NamesAFolderThatCannotBeMade) {
    addTiny();
    const std::filesystem::path file = folder.path() / "a file";
    std::ofstream(file) << "kept";
    for (const std::filesystem::path& target : {file, file / "beneath"}) {
        const Ran ran = wb({"download", "hf:acme/tiny", "--to", target.string()});
        EXPECT_EQ(ran.status, 1);
        EXPECT_NE(ran.err.find("Not a directory"), std::string::npos) << ran.err;
    }
    EXPECT_EQ(std::filesystem::file_size(file), 4u);
}

TEST_F(WbDownload, PlansWithoutWriting) {
    addTiny();
    const auto json = parsedOutput(wb({"download", "hf:acme/tiny", "--dry-run", "--to", to(), "--json"}).out);
    EXPECT_EQ(json["bytes_to_fetch"], 7 + 3 + 300'001 + 200'003);
    EXPECT_FALSE(std::filesystem::exists(to()));
}

TEST_F(WbDownload, FillsTheHuggingFaceCache) {
    addTiny();
    const auto cache = folder.path() / "hub";
    const Ran ran = wb({"download", "hf:acme/tiny", "--cache", "hf", "--json"}, "HF_HUB_CACHE='" + cache.string() + "'");
    ASSERT_EQ(ran.status, 0) << ran.err;
    const auto repository = cache / "models--acme--tiny";
    const auto name = repository / "snapshots" / std::string(40, 'c') / "UD-Q2" / "model.gguf";
    ASSERT_TRUE(std::filesystem::is_symlink(name));
    const auto link = std::filesystem::read_symlink(name).string();
    EXPECT_TRUE(link.starts_with("../../../blobs/")) << link;
    EXPECT_EQ(readFile(name).size(), 200'003u);
    EXPECT_EQ(readFile(repository / "refs/main"), toBytes(std::string(40, 'c')));
    servers.change("acme/tiny", [](ServedRepository& served) { served.commit = std::string(40, 'd'); });
    const auto next =
        parsedOutput(wb({"download", "hf:acme/tiny", "--cache", "hf", "--json"}, "HF_HUB_CACHE='" + cache.string() + "'").out);
    EXPECT_EQ(next["bytes_fetched"], 0) << "a second revision takes the blobs that are there";
    EXPECT_EQ(readFile(repository / "snapshots" / std::string(40, 'd') / "README.md"), toBytes("# Tiny\n"));
}

TEST_F(WbDownload, FetchesFromModelScope) {
    addTiny();
    const Ran ran = wb({"download", "ms:达摩/小模型", "--to", to(), "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(readFile(folder.path() / "to/model-Q4_K_M.gguf").size(), 300'001u);
    const Ran cached =
        wb({"download", "ms:达摩/小模型", "--cache", "ms"}, "MODELSCOPE_CACHE='" + (folder.path() / "ms").string() + "'");
    ASSERT_EQ(cached.status, 0) << cached.err;
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "ms/models/达摩--小模型/snapshots/master/README.md"));
}

TEST_F(WbDownload, RefusesHostileNamesAndFetchesTheOthers) {
    addTiny();
    servers.change("acme/tiny", [](ServedRepository& served) {
        for (const char* name : {"../escape.bin", "/abs", "a\\b", "CON", ".git/config", "readme.MD"})
            served.files.push_back(textFile(name, "evil"));
        ServedFile huge = textFile("huge", "x");
        huge.listedSize = "9223372036854775808";
        served.files.push_back(huge);
    });
    const Ran ran = wb({"download", "hf:acme/tiny", "--to", to(), "--json"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1);
    int refused = 0;
    const auto json = parsedOutput(ran.out);
    for (const auto& file : json["files"]) refused += file["status"] == "refused";
    EXPECT_EQ(refused, 7);
    EXPECT_EQ(readFile(folder.path() / "to/model-Q4_K_M.gguf").size(), 300'001u);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "escape.bin"));
}

TEST_F(WbDownload, SearchesBothHubs) {
    addTiny();
    for (int i = 0; i < 7; ++i) {
        ServedRepository more;
        more.id = "acme/more-" + std::to_string(i);
        servers.add(more);
    }
    const auto json = parsedOutput(wb({"search", "acme", "--json", "--limit", "5"}).out);
    ASSERT_EQ(json["results"].size(), 5u) << "exactly as many, over several pages";
    EXPECT_EQ(json["results"][0]["id"], "acme/tiny");
    EXPECT_EQ(json["results"][0]["licence"], "mit");
    const auto chinese = parsedOutput(wb({"search", "小模型", "--hub", "ms", "--json"}).out);
    ASSERT_EQ(chinese["results"].size(), 1u);
    EXPECT_EQ(chinese["results"][0]["name"], "小模型");
    for (const auto& [quant, count] : {std::pair("q4_k_m", 1u), std::pair("Q6_K", 0u)}) {
        const auto typed = parsedOutput(wb({"search", "acme", "--hub", "hf", "--quant", quant, "--json"}).out);
        EXPECT_EQ(typed["results"].size(), count) << quant;
    }
    const auto seeing = parsedOutput(wb({"search", "acme", "--hub", "hf", "--capability", "vision", "--json"}).out);
    EXPECT_EQ(seeing["results"].size(), 0u);
}

TEST_F(WbDownload, OfflineMakesNoConnection) {
    addTiny();
    EXPECT_EQ(wb({"download", "hf:acme/tiny", "--offline", "--to", to()}).status, 1);
    EXPECT_EQ(wb({"search", "x"}, "HF_HUB_OFFLINE=1").status, 1);
    EXPECT_TRUE(servers.recorded().empty());
}

// By the list of the last time; what is missing is said and not asked for.
TEST_F(WbDownload, OfflineFindsWhatIsThere) {
    addTiny();
    ASSERT_EQ(wb({"download", "hf:acme/tiny", "--to", to()}).status, 0);
    servers.forget();
    const auto whole = wb({"download", "hf:acme/tiny", "--to", to(), "--offline", "--json"});
    EXPECT_EQ(whole.status, 0) << whole.err;
    for (const auto& file : parsedOutput(whole.out)["files"]) EXPECT_EQ(file["status"], "present") << file;
    std::filesystem::remove(folder.path() / "to/README.md");
    const auto cut = wb({"download", "hf:acme/tiny", "--to", to(), "--offline"});
    EXPECT_EQ(cut.status, 1);
    EXPECT_NE(cut.err.find("hf:acme/tiny"), std::string::npos) << cut.err;
    const auto unknown = wb({"download", "hf:acme/other", "--to", to(), "--offline"});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_NE(unknown.err.find("hf:acme/other"), std::string::npos) << unknown.err;
    EXPECT_TRUE(servers.recorded().empty());
}

TEST_F(WbDownload, OfflineSearchShowsTheListOfTheLastTime) {
    addTiny();
    const std::vector<std::string> question = {"search", "tiny", "--hub", "hf", "--json"};
    const auto before = wb(question);
    ASSERT_EQ(parsedOutput(before.out)["results"].size(), 1u);
    servers.forget();
    EXPECT_EQ(wb(question, "HF_HUB_OFFLINE=1").out, before.out);
    auto another = question;
    another.insert(another.end(), {"--sort", "likes", "--offline"});
    const auto unknown = wb(another);
    EXPECT_EQ(unknown.status, 1);
    EXPECT_NE(unknown.err.find("No cached results for the search tiny"), std::string::npos) << unknown.err;
    EXPECT_TRUE(servers.recorded().empty());
}

// Whoever cannot reach one hub still finds the other one's models, and is told.
TEST_F(WbDownload, OneHubThatIsSilentLeavesTheOther) {
    addTiny();
    const auto found = wb({"search", "tiny", "--json", "--retries", "0"}, "MODELSCOPE_ENDPOINT=http://127.0.0.1:9");
    EXPECT_EQ(found.status, 1);
    EXPECT_NE(found.err.find("127.0.0.1:9"), std::string::npos) << found.err;
    EXPECT_EQ(parsedOutput(found.out)["results"].size(), 1u);
}

TEST_F(WbDownload, SendsNoTokenWithoutConsent) {
    addTiny();
    servers.change("acme/tiny", [](ServedRepository& served) { served.isPrivate = true; });
    const std::string token = std::string("HF_TOKEN=") + Servers::token;
    const Ran refused = wb({"download", "hf:acme/tiny", "--to", to()}, token);
    EXPECT_EQ(refused.status, 1);
    for (const auto& each : servers.recorded()) EXPECT_FALSE(each.request.headers.find("Authorization"));
    const Ran allowed = wb({"download", "hf:acme/tiny", "--to", to(), "--send-token"}, token);
    EXPECT_EQ(allowed.status, 0) << allowed.err;
    EXPECT_EQ((refused.err + allowed.err + allowed.out).find(Servers::token), std::string::npos);
}

// What the part file and its journal hold of a download that was killed.
std::uint64_t savedBytes(const std::filesystem::path& target, std::uint64_t size) {
    constexpr std::uint64_t pieceBytes = 16u << 20;
    if (std::filesystem::exists(target)) return size;
    const auto text = readFile(target.string() + ".part.journal");
    const auto journal = run::parseJournal(std::string(reinterpret_cast<const char*>(text.data()), text.size()));
    std::uint64_t bytes = 0;
    if (journal)
        for (const auto& [piece, record] : journal->records)
            bytes += record.text.empty() ? std::min(pieceBytes, size - piece * pieceBytes) : std::stoull(record.text);
    return bytes;
}

// Twenty kills, or as many as WEIGHBRIDGE_KILLS says. What is fetched again is what came and was not saved: at most one piece of
// 16 MiB for each of the eight connections.
TEST_F(WbDownload, LosesNothingWhenItIsKilled) {
    constexpr std::uint64_t size = 300'000'007, maxLost = 8 * (std::uint64_t{16} << 20);
    addLarge(size);
    const char* wanted = std::getenv("WEIGHBRIDGE_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 8;
    const auto target = folder.path() / "to/file.bin";
    std::mt19937 random(7);
    int status = 0, done = 0;
    std::uint64_t most = 0, all = 0;
    for (int killed = 0; killed < kills;) {
        const std::uint64_t savedBefore = savedBytes(target, size);
        std::uint64_t written = 0;
        if (!killAfter(std::chrono::milliseconds(20 + static_cast<int>(random() % 1000)), status, written)) {
            ++killed;
            ASSERT_FALSE(std::filesystem::exists(target) && std::filesystem::file_size(target) != size);
            const std::uint64_t saved = savedBytes(target, size);
            ASSERT_GE(saved, savedBefore) << "what was saved is lost";
            const std::uint64_t lost = written - std::min(written, saved - savedBefore);
            ASSERT_LE(lost, maxLost) << "after " << killed << " kills";
            most = std::max(most, lost), all += lost;
            if (!std::filesystem::exists(target)) continue;
        } else {
            ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        ++done;
        const auto source = io::FileSource::open(target).value();
        ASSERT_EQ(io::hexText(io::hashSha256(*source, {}).value()), formulaFile("x", size, 11).sha256);
        std::filesystem::remove_all(to());
    }
    const Ran last = wb({"download", "hf:acme/large", "--to", to(), "--json"});
    ASSERT_EQ(last.status, 0) << last.err;
    const auto source = io::FileSource::open(target).value();
    EXPECT_EQ(io::hexText(io::hashSha256(*source, {}).value()), parsedOutput(last.out)["files"][0]["sha256"]);
    const auto unfinished = parsedOutput(wb({"unfinished", "--json"}).out);
    EXPECT_TRUE(unfinished["runs"].empty());
    std::printf("%d kills over %d downloads; fetched again after a kill: %.1f MB at most, %.1f MB in the mean\n", kills, done + 1,
                static_cast<double>(most) / 1e6, static_cast<double>(all) / 1e6 / kills);
}

} // namespace
} // namespace wb::test
