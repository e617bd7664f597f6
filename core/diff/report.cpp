// SPDX-License-Identifier: MIT
#include "core/diff/report.h"

#include "core/base/json_writer.h"
#include "core/model/model_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb::diff {
namespace {

void writeNames(JsonWriter& out, const char* key, const std::vector<std::string>& names) {
    out.key(key);
    out.beginArray();
    for (const std::string& name : names) out.string(name);
    out.endArray();
}

void writeKeys(JsonWriter& out, const char* key, const std::vector<KeyOfOneSide>& keys) {
    std::vector<std::string> names;
    for (const KeyOfOneSide& each : keys) names.push_back(each.key);
    writeNames(out, key, names);
}

void writeNumber(JsonWriter& out, const char* key, const std::optional<double>& value) {
    out.key(key);
    if (value) out.number(*value);
    else out.null();
}

void writeMeasures(JsonWriter& out, const std::optional<Measures>& measures) {
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

void writePair(JsonWriter& out, const Pair& pair) {
    out.newline();
    out.beginObject();
    out.key("a");
    out.string(pair.a.front());
    out.key("b");
    out.string(pair.b.front());
    writeNames(out, "a_parts", pair.a);
    writeNames(out, "b_parts", pair.b);
    out.key("mapping");
    out.string(mappingText(pair.mapping));
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

std::uint64_t comparisonElements(const Comparison& comparison) {
    std::uint64_t elements = 0;
    for (const Pair& pair : comparison.pairs) elements += pair.elements;
    return elements;
}

void writeMetadata(JsonWriter& out, const MetadataDifference& metadata) {
    out.key("metadata");
    out.beginObject();
    writeKeys(out, "only_a", metadata.onlyA);
    writeKeys(out, "only_b", metadata.onlyB);
    out.key("changed");
    out.beginArray();
    for (const ChangedKey& changed : metadata.changed) {
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

std::string csvField(std::string text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char character : text) quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
    return quoted + '"';
}

std::string csvNumber(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : std::string(); }

std::string csvLine(std::initializer_list<std::string> fields) {
    std::vector<std::string> quoted;
    for (const std::string& field : fields) quoted.push_back(csvField(field));
    return fmt::format("{}\n", fmt::join(quoted, ","));
}

std::string pairLine(const Pair& pair) {
    const Measures none, &m = pair.measures ? *pair.measures : none;
    return csvLine({pair.a.front(), pair.b.front(), fmt::format("{}", fmt::join(pair.a, " ")),
                    fmt::format("{}", fmt::join(pair.b, " ")), mappingText(pair.mapping), pair.isEqual ? "true" : "false",
                    pair.measures ? fmt::format("{}", m.changedShare()) : "", csvNumber(m.maxAbs),
                    m.maxAbs ? fmt::format("{}", fmt::join(m.maxAt, ",")) : "", csvNumber(m.rmse), csvNumber(m.relRmse),
                    csvNumber(m.snrDb), csvNumber(m.cosine)});
}

std::string lonelyLine(const std::string& a, const std::string& b) {
    return csvLine({a, b, a, b, "", "", "", "", "", "", "", "", ""});
}

} // namespace

void writeJson(JsonWriter& out, const Comparison& comparison) {
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
    for (const Pair& pair : comparison.pairs) writePair(out, pair);
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
    for (const Problem& problem : comparison.problems) wb::writeJson(out, problem);
    out.endArray();
    out.endObject();
}

std::string csvText(const Comparison& comparison) {
    std::string text = "a,b,a_parts,b_parts,mapping,equal,changed,max_abs,max_at,rmse,rel_rmse,snr_db,cosine\n";
    for (const Pair& pair : comparison.pairs) text += pairLine(pair);
    for (const std::string& name : comparison.onlyA) text += lonelyLine(name, "");
    for (const std::string& name : comparison.onlyB) text += lonelyLine("", name);
    return text;
}

} // namespace wb::diff
