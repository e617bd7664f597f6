// SPDX-License-Identifier: MIT
#include "core/quant/budget/budget.h"
#include "core/regex/regex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace wb::quant {
namespace {

using Lists = std::vector<std::vector<TypeCost>>;

std::uint64_t listsBytes(const Lists& lists, const std::vector<std::size_t>& choice) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) sum += lists[i][choice[i]].bytes;
    return sum;
}

double listsError(const Lists& lists, const std::vector<std::size_t>& choice) {
    double sum = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) sum += lists[i][choice[i]].error;
    return sum;
}

// The true minimum, by trying everything.
double bestError(const Lists& lists, std::uint64_t budget) {
    double best = 1e300;
    std::vector<std::size_t> choice(lists.size());
    const std::function<void(std::size_t)> walk = [&](std::size_t at) {
        if (at == lists.size()) {
            if (listsBytes(lists, choice) <= budget) best = std::min(best, listsError(lists, choice));
            return;
        }
        for (choice[at] = 0; choice[at] < lists[at].size(); ++choice[at]) walk(at + 1);
        choice[at] = 0;
    };
    walk(0);
    return best;
}

Lists randomLists(std::minstd_rand& random, std::size_t tensors) {
    Lists lists(tensors);
    for (auto& list : lists) {
        const auto scale = static_cast<double>(1 + random() % 50);
        for (std::uint64_t bits = 2; bits <= 8; bits += 1 + random() % 2)
            list.push_back({Dtype::Q4_K, bits * (1 + random() % 20), scale / static_cast<double>(bits * bits)});
    }
    return lists;
}

TEST(SolveBudget, StaysWithinAndComesNearTheBest) {
    std::minstd_rand random(11);
    for (int round = 0; round < 200; ++round) {
        const Lists lists = randomLists(random, 6);
        const std::uint64_t budget = 100 + random() % 300;
        const auto choice = solveBudget(lists, budget);
        const double best = bestError(lists, budget);
        ASSERT_EQ(choice.empty(), best == 1e300);
        if (choice.empty()) continue;
        EXPECT_LE(listsBytes(lists, choice), budget);
        EXPECT_LE(listsError(lists, choice), best * 1.35 + 1e-9) << "round " << round;
    }
}

TEST(SolveBudget, MoreRoomNeverMeansMoreError) {
    std::minstd_rand random(5);
    const Lists lists = randomLists(random, 40);
    double last = 1e300;
    for (std::uint64_t budget = 500; budget < 8000; budget += 500) {
        const auto choice = solveBudget(lists, budget);
        if (choice.empty()) continue;
        EXPECT_LE(listsError(lists, choice), last * 1.02) << budget;
        last = listsError(lists, choice);
    }
    EXPECT_LT(last, 1e300);
}

TEST(SolveBudget, UsesUpWhatTheHullLeaves) {
    // The step of the hull is too large for what is left; the smaller one beside it is not.
    const Lists lists = {{{Dtype::Q2_K, 10, 100}, {Dtype::Q4_K, 16, 60}, {Dtype::Q8_0, 20, 0}}};
    EXPECT_EQ(solveBudget(lists, 20), (std::vector<std::size_t>{2}));
    EXPECT_EQ(solveBudget(lists, 18), (std::vector<std::size_t>{1}));
    EXPECT_EQ(solveBudget(lists, 12), (std::vector<std::size_t>{0}));
    EXPECT_TRUE(solveBudget(lists, 9).empty());
}

bool matches(const std::string& pattern, const std::string& name) {
    const auto compiled = regex::Regex::compile(pattern, {.utf = false});
    EXPECT_TRUE(compiled) << pattern;
    return compiled && compiled->search(name) == regex::Found::Yes;
}

// Read as the mix reads them, the rules give every tensor its own type again.
TEST(BudgetRules, GiveEveryTensorItsType) {
    std::vector<std::pair<std::string, Dtype>> types = {{"output.weight", Dtype::Q6_K}, {"token_embd.weight", Dtype::IQ4_XS}};
    for (int layer = 0; layer < 12; ++layer) {
        types.emplace_back(fmt::format("blk.{}.ffn_up.weight", layer), layer % 3 == 0 ? Dtype::Q5_K : Dtype::Q3_K);
        types.emplace_back(fmt::format("blk.{}.ffn_up_exps.weight", layer), Dtype::Q2_K);
    }
    const auto rules = rulesFor(types);
    EXPECT_EQ(rules.size(), 5u);
    for (const auto& [name, type] : types) {
        const auto hit = std::ranges::find_if(rules, [&](const TensorTypeRule& rule) { return matches(rule.pattern, name); });
        ASSERT_NE(hit, rules.end()) << name;
        EXPECT_EQ(hit->type, type) << name;
    }
}

// Names of a file from anywhere, read back by the mix' own matcher: every tensor gets its type and no other tensor does.
TEST(BudgetRules, FitTheirNamesWhateverTheseHold) {
    Model model;
    std::vector<std::pair<std::string, Dtype>> types;
    const std::vector<std::string> endings = {
        "x'; touch y; '", "a+b(c)", "a.b",   "a?b", "aXb",       "a[0]",    "a{2}", "a|b", "a*\\d",   "^a$",
        "$HOME`id`",      "Upper",  "upper", "k=v", "new\nline", "\x1b[2J", "#",    "模",  "\xff\xfe"};
    const auto add = [&](const std::string& name) {
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make({256, 256});
        model.tensors.push_back(tensor);
        types.emplace_back(name, types.size() % 2 == 0 ? Dtype::Q8_0 : Dtype::Q5_K);
    };
    for (const std::string& ending : endings)
        for (const char* start : {"", "blk.0.", "blk.1.", "blk.a+(b.", "blk.#."}) add(start + ending + ".weight");
    MixOptions mix;
    mix.rules = rulesFor(types);
    std::vector<std::size_t> order(model.tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto choices = chooseTypes(model, order, mix);
    ASSERT_TRUE(choices.has_value()) << choices.error().message();
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ((*choices)[i].type, types[i].second) << types[i].first;
    for (const TensorTypeRule& rule : mix.rules) {
        const auto isVisible = [](char c) { return c > ' ' && c <= '~' && c != '\'' && c != '=' && !(c >= 'A' && c <= 'Z'); };
        EXPECT_TRUE(std::ranges::all_of(rule.pattern, isVisible)) << rule.pattern;
        for (const auto& [name, type] : types) EXPECT_TRUE(type == rule.type || !matches(rule.pattern, name)) << rule.pattern;
    }
}

} // namespace
} // namespace wb::quant
