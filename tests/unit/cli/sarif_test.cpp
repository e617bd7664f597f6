// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

// `wb scan --sarif` against what SARIF 2.1.0 demands (oasis-tcs/sarif-spec: Schemata/sarif-schema-2.1.0.json): members that an
// object must and may have, the values of its enumerations, and that every index and rule it names exists.
namespace wb {
namespace {

using nlohmann::json;
using test::runWb;

struct ObjectShape {
    std::set<std::string> required;
    std::set<std::string> allowed; // beside those; the schema permits no others
};

const ObjectShape logShape{{"version", "runs"}, {"$schema", "inlineExternalProperties", "properties"}};
const ObjectShape runShape{{"tool"}, {"artifacts", "results", "invocations", "columnKind", "properties", "logicalLocations"}};
const ObjectShape toolShape{{"driver"}, {"extensions", "properties"}};
const ObjectShape driverShape{{"name"}, {"version", "semanticVersion", "informationUri", "rules", "properties"}};
const ObjectShape ruleShape{{"id"}, {"name", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"}};
const ObjectShape messageShape{{"text"}, {"markdown", "id", "arguments"}};
const ObjectShape artifactShape{{}, {"location", "parentIndex", "offset", "length", "mimeType", "hashes", "roles"}};
const ObjectShape artifactLocationShape{{}, {"uri", "uriBaseId", "index", "description"}};
const ObjectShape resultShape{{"message"}, {"ruleId", "ruleIndex", "level", "kind", "locations", "properties"}};
const ObjectShape locationShape{{}, {"id", "physicalLocation", "logicalLocations", "message"}};
const ObjectShape physicalShape{{}, {"artifactLocation", "region", "contextRegion", "address"}};
const ObjectShape regionShape{{}, {"byteOffset", "byteLength", "charOffset", "charLength", "startLine", "endLine"}};

class SarifChecker {
public:
    void check(const json& log) {
        expectShape(log, logShape, "log");
        EXPECT_EQ(log["version"], "2.1.0");
        ASSERT_EQ(log["runs"].size(), 1u);
        m_run = log["runs"][0];
        expectShape(m_run, runShape, "run");
        expectShape(m_run["tool"], toolShape, "tool");
        const json& driver = m_run["tool"]["driver"];
        expectShape(driver, driverShape, "driver");
        for (const json& rule : driver["rules"]) checkRule(rule);
        for (const json& artifact : m_run["artifacts"]) checkArtifact(artifact);
        for (const json& result : m_run["results"]) checkResult(result);
        EXPECT_EQ(m_used.size(), m_rules.size()) << "a rule without a result";
    }

private:
    static void expectShape(const json& object, const ObjectShape& shape, const char* what) {
        ASSERT_TRUE(object.is_object()) << what;
        for (const std::string& name : shape.required) EXPECT_TRUE(object.contains(name)) << what << " lacks " << name;
        for (const auto& [name, value] : object.items())
            EXPECT_TRUE(shape.required.contains(name) || shape.allowed.contains(name)) << what << " has " << name;
    }

    static void checkMessage(const json& message) {
        expectShape(message, messageShape, "message");
        EXPECT_FALSE(message["text"].get<std::string>().empty());
    }

    void checkRule(const json& rule) {
        expectShape(rule, ruleShape, "rule");
        checkMessage(rule["shortDescription"]);
        m_rules.push_back(rule["id"]);
        EXPECT_EQ(std::set(m_rules.begin(), m_rules.end()).size(), m_rules.size()) << "two rules " << rule["id"];
    }

    // RFC 3986: what a reference without a scheme may hold.
    static void checkUri(const std::string& uri) {
        static constexpr std::string_view marks = "-._~/!$&'()*+,;=:@";
        EXPECT_FALSE(uri.empty());
        for (std::size_t i = 0; i < uri.size(); ++i) {
            const auto byte = static_cast<unsigned char>(uri[i]);
            if (uri[i] == '%') {
                EXPECT_TRUE(i + 2 < uri.size() && std::isxdigit(uri[i + 1]) != 0 && std::isxdigit(uri[i + 2]) != 0) << uri;
            } else {
                EXPECT_TRUE(byte < 0x80 && (std::isalnum(byte) != 0 || marks.find(uri[i]) != std::string_view::npos)) << uri;
            }
        }
    }

    void checkArtifact(const json& artifact) {
        expectShape(artifact, artifactShape, "artifact");
        expectShape(artifact["location"], artifactLocationShape, "artifact's location");
        const std::string uri = artifact["location"]["uri"];
        checkUri(uri);
        EXPECT_EQ(artifact.contains("parentIndex"), uri.starts_with('/')) << uri;
        if (artifact.contains("parentIndex")) {
            EXPECT_LT(artifact["parentIndex"].get<std::size_t>(), m_run["artifacts"].size());
        }
    }

    void checkResult(const json& result) {
        expectShape(result, resultShape, "result");
        checkMessage(result["message"]);
        EXPECT_TRUE((std::set<std::string>{"none", "note", "warning", "error"}.contains(result["level"]))) << result["level"];
        const auto index = result["ruleIndex"].get<std::size_t>();
        ASSERT_LT(index, m_rules.size());
        EXPECT_EQ(m_rules[index], result["ruleId"]);
        m_used.insert(index);
        ASSERT_EQ(result["locations"].size(), 1u);
        const json& location = result["locations"][0];
        expectShape(location, locationShape, "location");
        const json& physical = location["physicalLocation"];
        expectShape(physical, physicalShape, "physical location");
        const json& place = physical["artifactLocation"];
        expectShape(place, artifactLocationShape, "artifact location");
        ASSERT_LT(place["index"].get<std::size_t>(), m_run["artifacts"].size());
        EXPECT_EQ(m_run["artifacts"][place["index"].get<std::size_t>()]["location"]["uri"], place["uri"]);
        if (!physical.contains("region")) return;
        expectShape(physical["region"], regionShape, "region");
        EXPECT_TRUE(physical["region"]["byteOffset"].is_number_unsigned());
        EXPECT_GE(physical["region"]["byteLength"].get<int>(), 0);
    }

    json m_run;
    std::vector<std::string> m_rules;
    std::set<std::size_t> m_used;
};

struct Scanned {
    json log;
    json report; // of --json
};

Scanned scanned(const std::filesystem::path& path, const test::TemporaryFolder& folder) {
    const auto file = folder.path() / "out.sarif";
    std::filesystem::remove(file);
    Scanned out;
    const auto run = runWb({"scan", path.string(), "--json", "--sarif", file.string()});
    out.report = run.json();
    std::ifstream stream(file);
    out.log = json::parse(stream, nullptr, false);
    EXPECT_FALSE(out.log.is_discarded()) << path << run.err;
    return out;
}

TEST(WbScanSarif, NamesRulesFilesAndPlaces) {
    const test::TemporaryFolder folder, results;
    (void)folder.file("attack.pkl", "cos\nsystem\n(S'x'\ntR.");
    (void)folder.file("a name #1 \xC3\xA9?.pkl", "cnobody\nKnows\n)R.");
    (void)folder.file("broken.bin", "\x01\x02\x03\x04");
    (void)folder.file("chat_template.jinja", "{{ ''.__class__ }}");
    const Scanned all = scanned(folder.path(), results);
    SarifChecker().check(all.log);
    std::set<std::string> rules;
    for (const json& result : all.log["runs"][0]["results"]) rules.insert(result["ruleId"].get<std::string>());
    EXPECT_EQ(rules,
              (std::set<std::string>{"file.unknown_format", "pickle.dangerous_code", "pickle.unknown_code", "template.escape"}));
    const json& first = all.log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(first["artifactLocation"]["uri"], "a%20name%20%231%20%C3%A9%3F.pkl");
    EXPECT_EQ(first["region"]["byteOffset"], 0);
}

TEST(WbScanSarif, IsEmptyForWhatIsClean) {
    const test::TemporaryFolder folder, results;
    (void)folder.file("notes.txt", "hello\n");
    const Scanned all = scanned(folder.path(), results);
    SarifChecker().check(all.log);
    EXPECT_TRUE(all.log["runs"][0]["results"].empty());
}

// Every call of level C and D, every finding that stands for no calls, and every file that is not clean is in it, with the member
// that it stands in.
TEST(WbScanSarif, HoldsAllThatTheCorpusIsAccusedOf) {
    WB_NEED_SHARED("corpus/picklescan");
    const test::TemporaryFolder results;
    for (const char* name : {"picklescan", "modelaudit"}) {
        const Scanned all = scanned(test::shared() / "corpus" / name, results);
        SarifChecker().check(all.log);
        std::size_t accused = 0;
        for (const json& finding : all.report["findings"]) {
            const std::string rule = finding["rule"];
            if (rule != "pickle.dangerous_code" && rule != "pickle.unknown_code") ++accused; // those stand for calls
        }
        for (const json& call : all.report["calls"]) accused += call["level"] == "C" || call["level"] == "D" ? 1 : 0;
        const json& found = all.log["runs"][0]["results"];
        EXPECT_GE(found.size(), accused) << name;
        std::set<std::string> places;
        for (const json& artifact : all.log["runs"][0]["artifacts"]) {
            const bool isMember = artifact.contains("parentIndex");
            const std::size_t parent = isMember ? artifact["parentIndex"].get<std::size_t>() : 0;
            const std::string uri = artifact["location"]["uri"];
            places.insert(isMember ? all.log["runs"][0]["artifacts"][parent]["location"]["uri"].get<std::string>() + uri : uri);
        }
        for (const json& file : all.report["files"]) {
            if (file["verdict"] == "clean" || !file["member"].is_null()) continue;
            EXPECT_TRUE(places.contains(file["path"].get<std::string>())) << file["path"];
        }
    }
}

} // namespace
} // namespace wb
