// SPDX-License-Identifier: MIT
#include "core/scan/scan.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

// Every verdict that corpus/README.md lists, with the position and the name that decide where it gives them.
namespace wb::scan {
namespace {

struct Expected {
    const char* file;
    Verdict verdict;
    const char* kind;
    const char* name = "";    // module.name of a call or reference of the worst level
    long long position = -1;  // of it in its stream
    const char* finding = ""; // a rule that must be among the findings
};

constexpr Verdict clean = Verdict::Clean;
constexpr Verdict notChecked = Verdict::NotChecked;
constexpr Verdict suspicious = Verdict::Suspicious;
constexpr Verdict dangerous = Verdict::Dangerous;

constexpr Expected table[] = {
    {"picklescan/data/bad_pytorch.pt", notChecked, "unknown", "", -1, "file.unknown_format"},
    {"picklescan/data/not_a_pickle.bin", notChecked, "unknown", "", -1, "file.unknown_format"},
    {"picklescan/data/benign0_v3.pkl", clean, "tensors only"},
    {"picklescan/data/pytorch_model.bin", clean, "tensors only"},
    {"picklescan/data/benign_password_protected.zip", suspicious, "malformed", "", -1, "archive.encrypted"},
    {"picklescan/data/malicious1.7z", suspicious, "malformed", "", -1, "archive.unscannable"},
    {"picklescan/data/malicious1_0x1.zip", dangerous, "dangerous code", "builtins.eval", 48, "zip.flag_bits"},
    {"picklescan/data/malicious1_0x40.zip", dangerous, "dangerous code", "builtins.eval", 48, "zip.flag_bits"},
    {"picklescan/data/malicious1_v0.pkl", dangerous, "dangerous code", "__builtin__.eval"},
    {"picklescan/data/malicious1_v4.pkl", dangerous, "dangerous code", "builtins.eval"},
    {"picklescan/data/malicious2_v3.pkl", dangerous, "dangerous code", "posix.system", 34},
    {"picklescan/data/malicious3.pkl", dangerous, "dangerous code", "httplib.HTTPSConnection"},
    {"picklescan/data/malicious5.pickle", dangerous, "dangerous code", "aiohttp.client.ClientSession"},
    {"picklescan/data/malicious7.pkl", dangerous, "dangerous code", "socket.create_connection"},
    {"picklescan/data/malicious9.pkl", dangerous, "dangerous code", "sys.exit"},
    {"picklescan/data/malicious10.pkl", dangerous, "dangerous code", "__builtin__.exec", 44},
    {"picklescan/data/malicious12.pkl", dangerous, "dangerous code", "operator.attrgetter"},
    {"picklescan/data/malicious13b.pkl", dangerous, "dangerous code", "_pickle.loads"},
    {"picklescan/data/malicious15a.pkl", dangerous, "dangerous code", "bdb.Bdb"},
    {"picklescan/data/malicious16.pkl", dangerous, "dangerous code", "pip.main"},
    {"picklescan/data/malicious18.pkl", dangerous, "dangerous code", "pydoc.pipepager"},
    {"picklescan/data/malicious20.pkl", dangerous, "dangerous code", "venv.create"},
    {"picklescan/data/malicious-invalid-bytes.pkl", dangerous, "dangerous code", "os.system", 71, "pickle.trailing_bytes"},
    {"picklescan/data2/malicious21.pkl", dangerous, "dangerous code", "timeit.timeit"},
    {"picklescan/data2/malicious23.pkl", dangerous, "dangerous code", "os.system"},
    {"picklescan/data2/io_FileIO.pkl", dangerous, "dangerous code"},
    {"picklescan/data2/logging_FileHandler.pkl", dangerous, "dangerous code"},
    {"picklescan/data2/urllib_request_urlopen.pkl", dangerous, "dangerous code"},
    {"picklescan/data2/type-confusion-exploit.pkl", dangerous, "dangerous code", "os.system", 45, "pickle.loader_stops"},
    {"picklescan/data2/dns_exfiltration.npy", dangerous, "dangerous code", "ssl.get_server_certificate", 205, "npy.object_array"},
    {"picklescan/data2/object_arrays.npz", clean, "tensors only", "", -1, "npy.object_array"},
    {"picklescan/data2/int_arrays.npz", clean, "tensors only"},
    {"modelaudit/tests/assets/exploits/exploit1_basic_torch_bypass.pkl", dangerous, "dangerous code", "os.system"},
    {"modelaudit/tests/assets/exploits/exploit3_sophisticated_hybrid.pkl", dangerous, "dangerous code", "os.system"},
    {"modelaudit/tests/assets/exploits/exploit5_ultra_high_confidence.pkl", dangerous, "dangerous code", "os.system"},
    {"modelaudit/tests/assets/exploits/exploit7_nested_collections.pkl", dangerous, "dangerous code", "subprocess.Popen"},
    {"modelaudit/tests/assets/exploits/exploit_ultimate_50pct.pkl", dangerous, "dangerous code", "os.system", 562},
    {"modelaudit/tests/assets/pickles/multiple_stream_attack.pkl", dangerous, "dangerous code", "builtins.eval"},
    {"modelaudit/tests/assets/pickles/posix_alias_attack.pkl", dangerous, "dangerous code", "posix.system"},
    {"modelaudit/tests/assets/samples/pickles/decode_exec_chain.pkl", suspicious, "unknown code", "", -1, "pickle.payload"},
    {"modelaudit/tests/assets/samples/pickles/nested_pickle_base64.pkl", suspicious, "unknown code", "", -1, "pickle.payload"},
    {"modelaudit/tests/assets/samples/pickles/nested_pickle_multistage.pkl", suspicious, "unknown code", "", -1, "pickle.payload"},
    {"modelaudit/tests/assets/samples/pickles/malicious_model_realistic.pkl", suspicious, "unknown code", "", -1, "pickle.payload"},
    {"modelaudit/tests/assets/samples/pickles/safe_data.pkl", clean, "tensors only"},
    {"modelaudit/tests/assets/samples/pickles/safe_nested_structure.pkl", clean, "tensors only"},
    {"modelaudit/tests/assets/samples/pickles/safe_model_with_encoding.pkl", clean, "tensors only"},
    {"modelaudit/tests/assets/scenarios/license_scenarios/mit_model/model_weights.pkl", clean, "tensors only"},
    {"modelaudit/tests/assets/scenarios/security_scenarios/mixed_malicious_model/model.pkl", dangerous, "dangerous code",
     "builtins.eval"},
    {"modelaudit/tests/assets/samples/pytorch/malicious_eval.pt", dangerous, "dangerous code", "builtins.eval"},
    {"modelaudit/tests/assets/samples/keras/malicious_lambda.h5", dangerous, "dangerous code", "", -1, "keras.lambda"},
    {"modelaudit/tests/assets/samples/pipeline.skops", suspicious, "unknown code", "__main__.DivideColumns"},
    {"modelaudit/tests/assets/samples/archives/path_traversal.zip", dangerous, "dangerous code", "posix.system", -1,
     "path.traversal"},
    {"sklearn/example.pkl", clean, "known libraries"},
};

Danger scanned(const std::filesystem::path& path) { return scanSource(*io::FileSource::open(path), {}); }

class ScanCorpus : public testing::TestWithParam<Expected> {};

TEST_P(ScanCorpus, HasItsVerdict) {
    const Expected& expected = GetParam();
    const auto path = test::shared() / "corpus" / expected.file;
    WB_NEED_SHARED(std::string("corpus/") + expected.file);
    const Danger danger = scanned(path);
    std::string heard;
    for (const DangerousCall& call : danger.calls)
        heard += std::string(levelName(call.level)) + " " + call.how + " " + call.module + "." + call.name + "@" +
                 std::to_string(call.position) + "\n";
    for (const DangerFinding& finding : danger.findings) heard += finding.problem.message() + "\n";
    EXPECT_EQ(danger.verdict(), expected.verdict) << heard;
    EXPECT_STREQ(kindName(danger), expected.kind) << heard;
    const auto isIt = [&](const DangerousCall& call) {
        return call.level > DangerLevel::B && call.module + "." + call.name == expected.name &&
               (expected.position < 0 || call.position == static_cast<std::uint64_t>(expected.position));
    };
    if (*expected.name != '\0') {
        EXPECT_TRUE(std::ranges::any_of(danger.calls, isIt)) << heard;
    }
    const auto isFinding = [&](const DangerFinding& finding) { return std::string_view(finding.problem.code) == expected.finding; };
    if (*expected.finding != '\0') {
        EXPECT_TRUE(std::ranges::any_of(danger.findings, isFinding)) << heard;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ScanCorpus, testing::ValuesIn(table), [](const auto& row) {
    std::string out;
    for (const char c : std::filesystem::path(row.param.file).filename().string())
        out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
});

TEST(ScanCorpusWhole, EveryAdvisoryIsDangerous) {
    WB_NEED_SHARED("corpus/picklescan/data2");
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "corpus/picklescan/data2")) {
        if (!entry.path().filename().string().starts_with("GHSA-")) continue;
        ++count;
        EXPECT_EQ(scanned(entry.path()).verdict(), dangerous) << entry.path();
    }
    EXPECT_EQ(count, 23);
}

// Where each file that is no advisory is decided, beyond the worst name: calls of what a call gave, a second stream, a reference
// that nothing calls, the places where a loader stops.
TEST(ScanCorpusWhole, DecidesAtThePlacesThatAreListed) {
    WB_NEED_SHARED("corpus/modelaudit");
    struct Place {
        const char* file;
        const char* name;
        const char* how;
        std::uint64_t position;
        std::uint32_t stream;
        const char* member;
    };
    const std::string audit = "modelaudit/tests/assets/";
    for (const Place& place :
         {Place{"picklescan/data/malicious12.pkl", "builtins.__import__", "reduce", 74, 0, ""},
          Place{"picklescan/data/malicious12.pkl", "operator.attrgetter", "reduce", 95, 0, ""},
          Place{"picklescan/data/malicious13b.pkl", "_pickle.loads", "reduce", 44, 0, ""},
          Place{"picklescan/data/malicious15a.pkl", "bdb.Bdb", "newobj", 55, 0, ""},
          Place{"picklescan/data/malicious15a.pkl", "bdb.Bdb", "build", 131, 0, ""},
          Place{"picklescan/data/malicious15a.pkl", "__builtin__.getattr", "reduce", 171, 0, ""},
          Place{"picklescan/data/malicious1_0x1.zip", "builtins.eval", "reduce", 48, 0, "model/config.pkl"},
          Place{"modelaudit/tests/assets/pickles/multiple_stream_attack.pkl", "builtins.eval", "reduce", 59, 1, ""},
          Place{"modelaudit/tests/assets/pickles/posix_alias_attack.pkl", "posix.system", "import", 28, 0, ""},
          Place{"modelaudit/tests/assets/samples/archives/path_traversal.zip", "posix.system", "reduce", 73, 0,
                "model/malicious.pkl"}}) {
        const Danger danger = scanned(test::shared() / "corpus" / place.file);
        EXPECT_TRUE(std::ranges::any_of(danger.calls,
                                        [&](const DangerousCall& call) {
                                            return call.module + "." + call.name == place.name &&
                                                   std::string_view(call.how) == place.how && call.position == place.position &&
                                                   call.stream == place.stream && danger.files[call.file].member == place.member;
                                        }))
            << place.file << " " << place.name << "@" << place.position;
    }
    const Danger stopped = scanned(test::shared() / "corpus/picklescan/data2/type-confusion-exploit.pkl");
    ASSERT_FALSE(stopped.findings.empty());
    EXPECT_EQ(stopped.findings[0].problem.offset, 62u);
    const Danger trailed = scanned(test::shared() / "corpus/picklescan/data/malicious-invalid-bytes.pkl");
    ASSERT_FALSE(trailed.findings.empty());
    EXPECT_EQ(trailed.findings[0].problem.arguments.back(), "4");
    const Danger alias = scanned(test::shared() / "corpus" / (audit + "pickles/posix_alias_attack.pkl"));
    EXPECT_TRUE(
        std::ranges::none_of(alias.calls, [](const DangerousCall& call) { return std::string_view(call.how) == "reduce"; }));
}

// A file that the folders hold and no row judges would go unnoticed.
TEST(ScanCorpusWhole, EveryFileHasARow) {
    WB_NEED_SHARED("corpus/modelaudit");
    std::set<std::string> listed;
    for (const Expected& row : table) listed.insert(row.file);
    std::size_t files = 0;
    for (const char* folder : {"picklescan", "modelaudit"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "corpus" / folder)) {
            if (!entry.is_regular_file()) continue;
            const std::string name = std::filesystem::relative(entry.path(), test::shared() / "corpus").generic_string();
            const bool isAdvisory = entry.path().filename().string().starts_with("GHSA-");
            EXPECT_TRUE(isAdvisory || listed.contains(name)) << name;
            ++files;
        }
    EXPECT_EQ(files, 75u);
}

// Nothing harmless is called dangerous, and unknown only what has a class that nobody knows.
TEST(ScanCorpusWhole, CallsNothingHarmlessDangerous) {
    WB_NEED_SHARED("fixtures");
    const std::set<std::string> unknownClasses = {"module_whole.pt", "module_whole_legacy.pt"};
    for (const char* folder : {"fixtures", "corpus"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / folder)) {
            const std::string path = entry.path().generic_string();
            if (!entry.is_regular_file() || path.find("/picklescan/") != std::string::npos ||
                path.find("/modelaudit/") != std::string::npos)
                continue;
            const Danger danger = scanned(entry.path());
            EXPECT_NE(danger.verdict(), dangerous) << path;
            const bool isUnknown = danger.level() > DangerLevel::B;
            if (!unknownClasses.contains(entry.path().filename().string())) {
                EXPECT_FALSE(isUnknown) << path << " "
                                        << (danger.calls.empty() ? ""
                                                                 : danger.calls.back().module + "." + danger.calls.back().name);
            }
        }
}

// Whether torch.load(weights_only=True) takes a file, for every file of which its maker tried it.
TEST(ScanFixtures, PredictWhetherWeightsOnlyLoads) {
    WB_NEED_SHARED("fixtures");
    using nlohmann::json;
    std::size_t tried = 0;
    const auto expectLoads = [&](const std::filesystem::path& path, bool expected) {
        const Danger danger = scanned(path);
        std::vector<int> known;
        for (const ScannedFile& file : danger.files)
            if (file.weightsOnlyLoads >= 0) known.push_back(file.weightsOnlyLoads);
        EXPECT_FALSE(known.empty()) << path;
        EXPECT_EQ(std::ranges::all_of(known, [](int one) { return one == 1; }), expected) << path;
        ++tried;
    };
    constexpr std::string_view ending = ".expected.json";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "fixtures")) {
        const std::string name = entry.path().string();
        if (!name.ends_with(ending)) continue;
        const json truth = json::parse(std::ifstream(name));
        if (!truth.contains("weights_only_loads")) continue;
        const std::filesystem::path path = name.substr(0, name.size() - ending.size());
        const json& loads = truth["weights_only_loads"];
        if (loads.is_boolean()) expectLoads(path, loads.get<bool>());
        else
            for (const auto& [file, one] : loads.items()) expectLoads(path / file, one.get<bool>());
    }
    EXPECT_EQ(tried, 40u);
}

} // namespace
} // namespace wb::scan
