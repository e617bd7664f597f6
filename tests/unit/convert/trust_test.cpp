// SPDX-License-Identifier: MIT
#include "core/convert/trust.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

Danger levelDanger(DangerLevel level, std::vector<DangerousCall> calls) {
    Danger danger;
    danger.files.push_back({});
    danger.files.back().level = level;
    danger.calls = std::move(calls);
    return danger;
}

DangerousCall call(const char* module, const char* name, DangerLevel level) {
    DangerousCall call;
    call.module = module;
    call.name = name;
    call.level = level;
    return call;
}

TEST(Trust, NeedsNoConfirmationForKnownLibraries) {
    EXPECT_FALSE(dangerConfirmation("m.pt", {}));
    EXPECT_FALSE(dangerConfirmation("m.pt", levelDanger(DangerLevel::B, {call("torch", "Size", DangerLevel::B)})));
}

TEST(Trust, NamesTheMostDangerousCallsFirst) {
    const auto needed = dangerConfirmation(
        "m.pt", levelDanger(DangerLevel::D, {call("mine", "Thing", DangerLevel::C), call("torch", "Size", DangerLevel::B),
                                             call("os", "system", DangerLevel::D), call("mine", "Thing", DangerLevel::C)}));
    ASSERT_TRUE(needed);
    EXPECT_EQ(needed->source, "m.pt");
    EXPECT_EQ(needed->level, DangerLevel::D);
    EXPECT_EQ(needed->names, (std::vector<std::string>{"os.system", "mine.Thing"}));
    EXPECT_FALSE(needed->finding);
}

TEST(Trust, KeepsTheWorstFinding) {
    Danger danger = levelDanger(DangerLevel::C, {});
    for (const Severity severity : {Severity::Note, Severity::Warning, Severity::Error})
        danger.findings.push_back({makeProblem(severity, "test.finding", {}, std::nullopt, "{}", severityName(severity)), {}});
    const auto needed = dangerConfirmation("m", danger);
    ASSERT_TRUE(needed && needed->finding);
    EXPECT_EQ(needed->finding->severity, Severity::Error);
}

// Texts are judged without a worker; all else is left to a scan.
TEST(Trust, JudgesTheTextsOfAModelThatIsNotOpen) {
    const test::TemporaryFolder folder;
    folder.file("config.json", R"({"auto_map": {"AutoModel": "modeling.Model"}})");
    folder.file("generation_config.json", "{}");
    const auto pickle = folder.file("pytorch_model.bin", "\x80\x02cos\nsystem\n.");
    const TextsJudged judged = judgeTexts(folder.path());
    ASSERT_EQ(judged.needed.size(), 1u);
    EXPECT_EQ(judged.needed[0].level, DangerLevel::C);
    EXPECT_TRUE(judged.needed[0].source.ends_with("config.json")) << judged.needed[0].source;
    EXPECT_EQ(judged.unjudged, std::vector{pickle});
    std::stop_source stop;
    stop.request_stop();
    const auto scanned = judgeByScan(judged.unjudged, {stop.get_token(), {}});
    ASSERT_FALSE(scanned);
    EXPECT_EQ(scanned.error().code, ErrorCode::Canceled);
    EXPECT_TRUE(judgeByScan({}, {})->empty());
}

// The sentence names what would run, and a confirmed model passes.
TEST(Trust, RefusesUnlessConfirmed) {
    Model model;
    model.path = "folder/m.pt";
    model.danger = std::make_shared<const Danger>(levelDanger(DangerLevel::D, {call("os", "system", DangerLevel::D)}));
    const auto refused = requireTrust(model, false);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, untrustedSource);
    EXPECT_NE(refused.error().message().find("os.system"), std::string::npos) << refused.error().message();
    EXPECT_TRUE(requireTrust(model, true));
}

} // namespace
} // namespace wb::convert
