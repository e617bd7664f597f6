// SPDX-License-Identifier: MIT
#include "app/cli/inspect/diff.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/diff/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace wb::cli {
namespace {

std::string numberText(const std::optional<double>& value, const char* format) {
    return value ? fmt::format(fmt::runtime(format), *value) : std::string("-");
}

std::string namesText(const std::vector<std::string>& names) {
    const std::string first = escapeControls(toUtf8(names.front()));
    return names.size() == 1 ? first : fmt::format("{} + {} more", first, names.size() - 1);
}

void printPairs(const diff::Comparison& comparison) {
    std::vector<const diff::Pair*> different;
    for (const diff::Pair& pair : comparison.pairs)
        if (!pair.isEqual) different.push_back(&pair);
    if (different.empty()) return;
    std::ranges::stable_sort(different, std::greater(), [](const diff::Pair* pair) { return diff::pairError(*pair); });
    Table table({{"A"},
                 {"B"},
                 {"Mapping"},
                 {"Changed", true},
                 {"Relative error", true},
                 {"SNR dB", true},
                 {"Cosine", true},
                 {"Max error", true}});
    for (const diff::Pair* pair : different) {
        const auto& m = pair->measures;
        table.add({namesText(pair->a), pair->a == pair->b ? "" : namesText(pair->b), diff::mappingText(pair->mapping),
                   m ? fmt::format("{:.2f}%", 100 * m->changedShare()) : "-", numberText(m ? m->relRmse : std::nullopt, "{:.4g}"),
                   numberText(m ? m->snrDb : std::nullopt, "{:.2f}"), numberText(m ? m->cosine : std::nullopt, "{:.6f}"),
                   numberText(m ? m->maxAbs : std::nullopt, "{:.4g}")});
    }
    fmt::print("\n");
    table.print();
}

void printNames(const char* title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    constexpr std::size_t shown = 20;
    fmt::print("\n{} ({}):\n", title, names.size());
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) fmt::print("  {}\n", escapeControls(toUtf8(names[i])));
    if (names.size() > shown) fmt::print("  … {} more\n", names.size() - shown);
}

std::vector<std::string> keyNames(const std::vector<diff::KeyOfOneSide>& keys) {
    std::vector<std::string> names;
    for (const diff::KeyOfOneSide& each : keys) names.push_back(each.key);
    return names;
}

std::string shortened(const std::string& json) {
    constexpr std::size_t most = 60;
    const std::string text = escapeControls(json);
    return text.size() <= most ? text : toUtf8(text.substr(0, most)) + "…";
}

void printMetadata(const diff::MetadataDifference& metadata) {
    printNames("Metadata only in A", keyNames(metadata.onlyA));
    printNames("Metadata only in B", keyNames(metadata.onlyB));
    if (metadata.changed.empty()) return;
    Table table({{"Metadata"}, {"A"}, {"B"}});
    for (const diff::ChangedKey& changed : metadata.changed)
        table.add({escapeControls(toUtf8(changed.key)), shortened(changed.a), shortened(changed.b)});
    fmt::print("\n");
    table.print();
}

} // namespace

void printDiffJson(const diff::Comparison& comparison) {
    JsonWriter out([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    diff::writeJson(out, comparison);
    out.finish();
}

void printDiffText(const diff::Comparison& comparison, const std::string& a, const std::string& b, bool isStructureOnly) {
    const std::uint64_t equal = comparison.equalCount();
    fmt::print("A: {}\nB: {}\n{} tensors matched: {} equal{}, {} different; {} only in A, {} only in B\n",
               escapeControls(toUtf8(a)), escapeControls(toUtf8(b)), comparison.pairs.size(), equal,
               isStructureOnly ? " in type and shape" : "", comparison.pairs.size() - equal, comparison.onlyA.size(),
               comparison.onlyB.size());
    printPairs(comparison);
    printNames("Tensors only in A", comparison.onlyA);
    printNames("Tensors only in B", comparison.onlyB);
    printMetadata(comparison.metadata);
    if (const auto& tokenizer = comparison.tokenizer)
        fmt::print("\nTokenizer: {} tokens added, {} removed, {} renumbered, {} merges changed\n", tokenizer->added,
                   tokenizer->removed, tokenizer->renumbered, tokenizer->mergesChanged);
    if (comparison.templateEqual) fmt::print("Chat template: {}\n", *comparison.templateEqual ? "equal" : "different");
    for (const Problem& problem : comparison.problems)
        fmt::print("{}: {}\n", severityName(problem.severity), escapeControls(toUtf8(problem.message())));
}

} // namespace wb::cli
