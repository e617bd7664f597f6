// SPDX-License-Identifier: MIT
#include "core/convert/trust.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

Danger dangerOf(DangerLevel level, std::vector<DangerousCall> calls) {
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
    EXPECT_FALSE(confirmationOf("m.pt", {}));
    EXPECT_FALSE(confirmationOf("m.pt", dangerOf(DangerLevel::B, {call("torch", "Size", DangerLevel::B)})));
}

TEST(Trust, NamesTheMostDangerousCallsFirst) {
    const auto needed = confirmationOf(
        "m.pt", dangerOf(DangerLevel::D, {call("mine", "Thing", DangerLevel::C), call("torch", "Size", DangerLevel::B),
                                          call("os", "system", DangerLevel::D), call("mine", "Thing", DangerLevel::C)}));
    ASSERT_TRUE(needed);
    EXPECT_EQ(needed->source, "m.pt");
    EXPECT_EQ(needed->level, DangerLevel::D);
    EXPECT_EQ(needed->names, (std::vector<std::string>{"os.system", "mine.Thing"}));
    EXPECT_FALSE(needed->finding);
}

TEST(Trust, KeepsTheWorstFinding) {
    Danger danger = dangerOf(DangerLevel::C, {});
    for (const Severity severity : {Severity::Note, Severity::Warning, Severity::Error})
        danger.findings.push_back({makeProblem(severity, "test.finding", {}, std::nullopt, "{}", severityName(severity)), {}});
    const auto needed = confirmationOf("m", danger);
    ASSERT_TRUE(needed && needed->finding);
    EXPECT_EQ(needed->finding->severity, Severity::Error);
}

// The sentence names what would run, and a confirmed model passes.
TEST(Trust, RefusesUnlessConfirmed) {
    Model model;
    model.path = "folder/m.pt";
    model.danger = std::make_shared<const Danger>(dangerOf(DangerLevel::D, {call("os", "system", DangerLevel::D)}));
    const auto refused = requireTrust(model, false);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, untrustedSource);
    EXPECT_NE(refused.error().message().find("os.system"), std::string::npos) << refused.error().message();
    EXPECT_TRUE(requireTrust(model, true));
}

} // namespace
} // namespace wb::convert
