// SPDX-License-Identifier: MIT
#include "app/cli/inspect/diff.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/model_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace wb::cli {
namespace {

void writeNames(JsonWriter& out, const char* key, const std::vector<std::string>& names) {
    out.key(key);
    out.beginArray();
    for (const std::string& name : names) out.string(name);
    out.endArray();
}

void writeNumber(JsonWriter& out, const char* key, const std::optional<double>& value) {
    out.key(key);
    if (value) out.number(*value);
    else out.null();
}

void writeMeasures(JsonWriter& out, const std::optional<diff::Measures>& measures) {
    writeNumber(out, "changed", measures ? std::optional(measures->changedShare()) : std::nullopt);
    writeNumber(out, "max_abs", measures ? measures->maxAbs : std::nullopt);
    out.key("max_at");
    if (measures && measures->maxAbs) {
        out.beginArray();
        for (const std::uint64_t index : measures->maxAt) out.integer(index);
        out.endArray();
    } else {
        out.null();
    }
    if (measures && !measures->maxIn.empty()) {
        out.key("max_in");
        out.string(measures->maxIn);
    }
    writeNumber(out, "rmse", measures ? measures->rmse : std::nullopt);
    writeNumber(out, "rel_rmse", measures ? measures->relRmse : std::nullopt);
    writeNumber(out, "snr_db", measures ? measures->snrDb : std::nullopt);
    writeNumber(out, "cosine", measures ? measures->cosine : std::nullopt);
}

void writePair(JsonWriter& out, const diff::Pair& pair) {
    out.newline();
    out.beginObject();
    out.key("a");
    out.string(pair.a.front());
    out.key("b");
    out.string(pair.b.front());
    writeNames(out, "a_parts", pair.a);
    writeNames(out, "b_parts", pair.b);
    out.key("mapping");
    out.string(diff::mappingText(pair.mapping));
    out.key("equal");
    out.boolean(pair.isEqual);
    writeMeasures(out, pair.measures);
    out.endObject();
}

void writeCounts(JsonWriter& out, std::initializer_list<std::pair<const char*, std::uint64_t>> counts) {
    out.beginObject();
    for (const auto& [key, count] : counts) {
        out.key(key);
        out.integer(count);
    }
    out.endObject();
}

std::uint64_t comparisonElements(const diff::Comparison& comparison) {
    std::uint64_t elements = 0;
    for (const diff::Pair& pair : comparison.pairs) elements += pair.elements;
    return elements;
}

void writeMetadata(JsonWriter& out, const diff::MetadataDifference& metadata) {
    out.key("metadata");
    out.beginObject();
    writeNames(out, "only_a", metadata.onlyA);
    writeNames(out, "only_b", metadata.onlyB);
    out.key("changed");
    out.beginArray();
    for (const diff::ChangedKey& changed : metadata.changed) {
        out.newline();
        out.beginObject();
        out.key("key");
        out.string(changed.key);
        out.key("a");
        out.raw(changed.a);
        out.key("b");
        out.raw(changed.b);
        out.endObject();
    }
    out.endArray();
    out.endObject();
}

std::string numberText(const std::optional<double>& value, const char* format) {
    return value ? fmt::format(fmt::runtime(format), *value) : std::string("-");
}

std::string namesText(const std::vector<std::string>& names) {
    const std::string first = escapeControls(toUtf8(names.front()));
    return names.size() == 1 ? first : fmt::format("{} + {} more", first, names.size() - 1);
}

// What cannot be read first, then the largest error.
double pairRank(const diff::Pair& pair) {
    if (!pair.measures) return std::numeric_limits<double>::infinity();
    if (pair.measures->relRmse) return *pair.measures->relRmse;
    return pair.measures->rmse.value_or(std::numeric_limits<double>::max());
}

void printPairs(const diff::Comparison& comparison) {
    std::vector<const diff::Pair*> different;
    for (const diff::Pair& pair : comparison.pairs)
        if (!pair.isEqual) different.push_back(&pair);
    if (different.empty()) return;
    std::ranges::stable_sort(different, std::greater(), [](const diff::Pair* pair) { return pairRank(*pair); });
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
                   m ? fmt::format("{:.2f} %", 100 * m->changedShare()) : "-", numberText(m ? m->relRmse : std::nullopt, "{:.4g}"),
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

std::string shortened(const std::string& json) {
    constexpr std::size_t most = 60;
    const std::string text = escapeControls(json);
    return text.size() <= most ? text : toUtf8(text.substr(0, most)) + "…";
}

void printMetadata(const diff::MetadataDifference& metadata) {
    printNames("Metadata only in A", metadata.onlyA);
    printNames("Metadata only in B", metadata.onlyB);
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
    const std::uint64_t matched = comparison.pairs.size(), equal = comparison.equalCount();
    out.beginObject();
    out.key("matched");
    out.integer(matched);
    out.newline();
    writeNames(out, "only_a", comparison.onlyA);
    out.newline();
    writeNames(out, "only_b", comparison.onlyB);
    out.newline();
    out.key("tensors");
    out.beginArray();
    for (const diff::Pair& pair : comparison.pairs) writePair(out, pair);
    out.endArray();
    out.newline();
    out.key("summary");
    writeCounts(out, {{"equal", equal},
                      {"different", matched - equal},
                      {"only_a", comparison.onlyA.size()},
                      {"only_b", comparison.onlyB.size()},
                      {"elements", comparisonElements(comparison)}});
    out.newline();
    writeMetadata(out, comparison.metadata);
    out.newline();
    out.key("tokenizer");
    if (const auto& tokenizer = comparison.tokenizer)
        writeCounts(out, {{"added", tokenizer->added},
                          {"removed", tokenizer->removed},
                          {"renumbered", tokenizer->renumbered},
                          {"merges_changed", tokenizer->mergesChanged}});
    else out.null();
    out.key("template_equal");
    if (comparison.templateEqual) out.boolean(*comparison.templateEqual);
    else out.null();
    out.newline();
    out.key("problems");
    out.beginArray();
    for (const Problem& problem : comparison.problems) writeJson(out, problem);
    out.endArray();
    out.endObject();
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
