// SPDX-License-Identifier: MIT
#include "core/formats/table/table.h"
#include "core/formats/tensorflow/parts.h"
#include "core/formats/tensorflow/tensorflow.h"

#include <algorithm>
#include <array>

namespace wb::tensorflow {
namespace {

using namespace std::string_view_literals;
using proto::Message;
using proto::Wire;

// Operators that reach out of the model when it runs: files of the machine, Python functions.
constexpr std::array dangerous = {"ReadFile"sv, "WriteFile"sv, "PyFunc"sv, "PyFuncStateless"sv, "EagerPyFunc"sv};

bool isData(std::string_view name) { return name.find(".data-") != std::string_view::npos; }

Result<bool> isTable(const io::ByteSource& source) {
    std::vector<std::byte> tail(std::min<std::uint64_t>(source.size(), 8));
    WB_TRY(source.readAt(source.size() - tail.size(), tail));
    return table::sniff(tail);
}

Result<void> readOne(Reading& reading, std::uint32_t number) {
    const io::ByteSource& source = *reading.sources[number];
    Model& model = reading.index.model;
    if (isData(source.name()) || source.name().ends_with(".meta")) return {};
    WB_TRY_ASSIGN(const bool table, isTable(source));
    if (table) return readTable(reading, number);
    if (source.name().ends_with(".pbtxt")) {
        model.format = FormatId::TfGraph;
        return readText(reading, number);
    }
    if (sniffSavedModel(source)) {
        model.format = FormatId::SavedModel;
        return readSavedModel(reading, number);
    }
    model.format = FormatId::TfGraph;
    return readGraph(reading, number);
}

void addOperators(const std::set<std::string>& operators, Model& model, const std::string& file) {
    if (operators.empty()) return;
    ValueArray list;
    list.elementType = ValueType::String;
    for (const std::string& name : operators) {
        if (list.first.size() < 512) list.first.push_back(Value::of(formats::shown(name)));
        if (std::ranges::find(dangerous, name) != dangerous.end())
            model.problems.push_back(makeProblem(
                Severity::Warning, "tensorflow.operator", file, std::nullopt,
                WB_TEXT("{} uses the operator {}, which accesses resources outside the model when it runs."), file, name));
    }
    list.count = list.first.size();
    model.metadata.members.push_back({"operators", Value::of(std::move(list))});
}

} // namespace

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    formats::Index index(sources.size());
    std::set<std::string> operators;
    std::vector<Problem> problems;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        formats::Findings findings(sources[i]->name(), options.strictness);
        Reading reading{sources, options, index, findings, operators};
        WB_TRY(readOne(reading, i));
        std::ranges::move(findings.take(), std::back_inserter(problems));
    }
    Model& model = index.model;
    if (wish == "savedmodel") model.format = FormatId::SavedModel;
    addOperators(operators, model, sources.empty() ? std::string() : sources.front()->name());
    std::ranges::move(problems, std::back_inserter(model.problems));
    model.metadata.count = model.metadata.members.size();
    sortProblems(model.problems);
    return index;
}

// node 1, library 2, version 3, versions 4, debug_info 5; a node has a name and an operator.
bool sniffGraph(const io::ByteSource& source) {
    io::Cursor cursor(source);
    Message graph(cursor, source.size(), source.name());
    bool hasNode = false;
    while (true) {
        const auto more = graph.next();
        if (!more) return false;
        if (!*more) return hasNode;
        const bool isNumber = graph.field() == 3;
        if (graph.field() > 5 || graph.wire() != (isNumber ? Wire::Varint : Wire::Bytes)) return false;
        if (graph.field() != 1 || hasNode) continue;
        auto node = graph.message();
        if (!node) return false;
        bool hasName = false, hasOperator = false;
        while (true) {
            const auto moreOfIt = node->next();
            if (!moreOfIt) return false;
            if (!*moreOfIt) break;
            if (node->field() > 7 || node->wire() != Wire::Bytes) return false;
            hasName = hasName || node->field() == 1;
            hasOperator = hasOperator || node->field() == 2;
        }
        if (!hasName || !hasOperator) return false;
        hasNode = true;
    }
}

// saved_model_schema_version 1, meta_graphs 2.
bool sniffSavedModel(const io::ByteSource& source) {
    io::Cursor cursor(source);
    Message saved(cursor, source.size(), source.name());
    bool hasVersion = false, hasGraph = false;
    while (true) {
        const auto more = saved.next();
        if (!more) return false;
        if (!*more) return hasVersion && hasGraph;
        if (saved.is(1, Wire::Varint)) hasVersion = true;
        else if (saved.is(2, Wire::Bytes)) hasGraph = true;
        else return false;
    }
}

bool sniffText(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || !head.substr(first).starts_with("node")) return false;
    const std::size_t next = head.find_first_not_of(" \t\r\n:", first + 4);
    return next != std::string_view::npos && head[next] == '{';
}

bool sniffTable(std::span<const std::byte> tail) { return table::sniff(tail); }

} // namespace wb::tensorflow
