// SPDX-License-Identifier: MIT
#include "app/cli/inspect/inspect.h"
#include "app/cli/inspect/series_statistics.h"

#include "app/cli/inspect/checkpoint_print.h"
#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/model/danger.h"
#include "core/model/model_json.h"
#include "core/model/parameters.h"
#include "core/model/stored_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace wb::cli {
namespace {

void printSummary(const Model& model, const std::string& path) {
    const auto line = [](const char* what, const std::string& text) { fmt::print("{:<13} {}\n", what, text); };
    line("Model", escapeControls(toUtf8(path)));
    line("Format", formatName(model.format) + (model.version ? " " + *model.version : ""));
    if (model.danger) line("Safety", fmt::format("{} ({})", verdictName(model.danger->verdict()), kindName(*model.danger)));
    if (model.architecture) line("Architecture", escapeControls(*model.architecture));
    line("Parameters", fmt::format("{} ({})", model.parameters(), humanCount(model.parameters())));
    if (storedParameters(model) != model.parameters()) line("Stored", fmt::format("{} elements", storedParameters(model)));
    const auto stored = std::ranges::count(model.tensors, false, &TensorInfo::logical);
    const auto files = storedFiles(model);
    std::uint64_t bytes = 0;
    for (const StoredFile& file : files) bytes += file.bytes;
    line("Size", fmt::format("{} ({} bytes)", humanBytes(bytes), bytes));
    line("Tensors", fmt::format("{}, {} ({} bytes)", stored, humanBytes(model.tensorBytes()), model.tensorBytes()));
    if (const auto logical = model.tensors.size() - static_cast<std::size_t>(stored); logical != 0)
        line("Logical", fmt::format("{} logical weights", logical));
    line("Files", files.size() == 1 ? files[0].name : fmt::format("{}", files.size()));
}

void printMetadata(const ValueObject& object, const std::string& prefix) {
    for (const Member& member : object.members) {
        if (const auto* inner = member.value.object()) printMetadata(*inner, prefix + member.key + ": ");
        else fmt::print("  {} = {}\n", escapeControls(prefix + member.key), summary(member.value, 100));
    }
}

void printTypes(const Model& model) {
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> types;
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.logical) continue;
        auto& [count, bytes] = types[tensor.dtypeName()];
        ++count;
        if (!tensor.isUncounted()) bytes += tensor.bytes(); // so that the sums are the size above
    }
    Table table({{"Type"}, {"Tensors", true}, {"Size", true}});
    for (const auto& [name, sums] : types) table.add({name, fmt::format("{}", sums.first), humanBytes(sums.second)});
    table.print();
}

std::string tensorGroup(const TensorInfo& tensor) { return tensor.details ? escapeControls(tensor.details->group) : std::string(); }

// With a column for the checkpoint if the model has several, whose tensors have the same names.
void printTensors(const Inspection& inspection) {
    const auto& tensors = inspection.model->tensors;
    const bool hasGroups = std::ranges::any_of(tensors, [](const TensorInfo& tensor) { return !tensorGroup(tensor).empty(); });
    std::vector<Table::Column> columns = {{"Tensor"}, {"Type"}, {"Shape"}, {"Elements", true}, {"Bytes", true}};
    if (hasGroups) columns.push_back({"Checkpoint"});
    Table table(columns);
    for (const std::size_t index : inspection.chosen) {
        const TensorInfo& tensor = tensors[index];
        if (tensor.logical) continue;
        std::vector<std::string> row = {escapeControls(toUtf8(tensor.name)), tensor.dtypeName(), tensor.shape.toString(),
                                        fmt::format("{}", tensor.shape.elements()), fmt::format("{}", tensor.bytes())};
        if (hasGroups) row.push_back(tensorGroup(tensor));
        table.add(row);
    }
    table.print();
}

// The weights that are computed from several stored tensors.
void printLogicalTensors(const Inspection& inspection) {
    Table table({{"Weight"}, {"Scheme"}, {"Shape"}, {"Elements", true}, {"Bits per weight", true}});
    bool isEmpty = true;
    for (const std::size_t index : inspection.chosen) {
        const TensorInfo& tensor = inspection.model->tensors[index];
        if (!tensor.logical) continue;
        const TensorDetails details = tensor.details ? *tensor.details : TensorDetails();
        const bool isAvailable = tensor.source.unavailableWhy().empty();
        table.add({escapeControls(toUtf8(tensor.name)),
                   isAvailable ? escapeControls(details.scheme) : "unavailable: " + escapeControls(tensor.source.unavailableWhy()),
                   tensor.shape.toString(), fmt::format("{}", tensor.shape.elements()),
                   details.bitsPerWeight ? fmt::format("{:.3f}", *details.bitsPerWeight) : "–"});
        isEmpty = false;
    }
    if (isEmpty) return;
    table.print();
}

// Of a checkpoint whose ranks are joined people want the joined tensors; of other models the stored ones, and what is made of them.
void printAllTensors(const Inspection& inspection) {
    const Model& model = *inspection.model;
    const bool isJoined = model.checkpoint && model.checkpoint->isJoined;
    const auto isLogical = [&](std::size_t index) { return model.tensors[index].logical; };
    const bool hasBoth = std::ranges::any_of(inspection.chosen, isLogical) && !std::ranges::all_of(inspection.chosen, isLogical);
    if (isJoined) printLogicalTensors(inspection);
    if (isJoined && hasBoth) fmt::print("\n");
    if (!isJoined || hasBoth) printTensors(inspection);
    if (!isJoined && std::ranges::any_of(inspection.chosen, isLogical)) {
        fmt::print("\n");
        printLogicalTensors(inspection);
    }
}

std::string short6(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "–"; }
std::string short6(const std::optional<stats::Element>& value) {
    return value ? fmt::format("{:.6g}", stats::asDouble(*value)) : "–";
}

void printStatistics(const Inspection& inspection) {
    Table table({{"Tensor"},
                 {"Min", true},
                 {"Max", true},
                 {"Mean", true},
                 {"Std dev", true},
                 {"Skewness", true},
                 {"Excess kurtosis", true},
                 {"Zeros", true},
                 {"NaN", true},
                 {"Inf", true},
                 {"> 6 std", true}});
    for (std::size_t i = 0; i < inspection.chosen.size(); ++i) {
        const std::string name = escapeControls(toUtf8(inspection.model->tensors[inspection.chosen[i]].name));
        if (const auto& s = inspection.statistics[i]; !s) table.add({name, "–", "–", "–", "–", "–", "–", "–", "–", "–", "–"});
        else
            table.add({name, short6(s->min), short6(s->max), short6(s->mean), short6(s->std), short6(s->skew), short6(s->kurtosis),
                       fmt::format("{}", s->zeros), fmt::format("{}", s->nan), fmt::format("{}", s->inf),
                       fmt::format("{}", s->outliers6)});
    }
    table.print();
}

void printHashes(const Inspection& inspection) {
    Table table({{"Tensor"}, {"sha256 of the values"}});
    for (std::size_t i = 0; i < inspection.chosen.size(); ++i)
        table.add(
            {escapeControls(toUtf8(inspection.model->tensors[inspection.chosen[i]].name)), inspection.hashes[i].value_or("–")});
    table.print();
}

// The weight change of an adapter: how much, and in how many directions.
void printSpectra(const Inspection& inspection) {
    if (inspection.spectra.empty()) return;
    constexpr std::size_t shown = 8;
    fmt::print("\n");
    Table table({{"Adapter"}, {"Norm", true}, {"Largest singular values"}});
    for (const auto& [index, spectrum] : inspection.spectra) {
        std::string values;
        for (std::size_t i = 0; i < std::min(shown, spectrum.singularValues.size()); ++i)
            values += fmt::format("{}{:.6g}", i == 0 ? "" : " ", spectrum.singularValues[i]);
        if (spectrum.singularValues.size() > shown) values += " …";
        table.add({escapeControls(toUtf8(inspection.model->tensors[index].name)), fmt::format("{:.6g}", spectrum.norm), values});
    }
    table.print();
}

void printMatrices(const Inspection& inspection) {
    if (inspection.matrices.empty()) return;
    const auto text = [](const std::optional<double>& value, const char* format) {
        return value ? fmt::format(fmt::runtime(format), *value) : std::string("-");
    };
    fmt::print("\n");
    Table table({{"Matrix"},
                 {"Spectral norm", true},
                 {"Stable rank", true},
                 {"Effective rank", true},
                 {"Rank 99%", true},
                 {"Alpha", true},
                 {"KS distance", true},
                 {"Values", true}});
    for (const auto& [index, spectrum] : inspection.matrices) {
        const auto& rank = spectrum.energyRanks[1];
        table.add({escapeControls(toUtf8(inspection.model->tensors[index].name)), fmt::format("{:.6g}", spectrum.spectralNorm),
                   text(spectrum.stableRank, "{:.4g}"), text(spectrum.effectiveRank, "{:.4g}"),
                   rank ? fmt::format("{}", *rank) : std::string("-"),
                   spectrum.tail ? fmt::format("{:.3f}", spectrum.tail->alpha) : "-",
                   spectrum.tail ? fmt::format("{:.4f}", spectrum.tail->distance) : "-",
                   fmt::format("{}{}", spectrum.singularValues.size(), spectrum.isComplete ? "" : " largest")});
    }
    table.print();
}

void printDevices(const Inspection& inspection) {
    std::map<std::string, std::size_t> tensors;
    for (const auto& one : inspection.statistics)
        if (one) ++tensors[one->device];
    for (const auto& [device, count] : tensors) fmt::print("Tensors computed on {}: {}\n", device, count);
}

void printChannels(const Inspection& inspection, stats::Axis axis) {
    const char* what = axis == stats::Axis::Row ? "Row" : "Column";
    for (std::size_t i = 0; i < inspection.chosen.size(); ++i) {
        if (!inspection.statistics[i] || !inspection.statistics[i]->channels) continue;
        const auto& channels = *inspection.statistics[i]->channels;
        fmt::print("\n{}\n", escapeControls(toUtf8(inspection.model->tensors[inspection.chosen[i]].name)));
        Table table({{what, true}, {"Absmax", true}, {"RMS", true}});
        for (std::size_t c = 0; c < channels.absmax.size(); ++c)
            table.add({fmt::format("{}", c), fmt::format("{:.6g}", channels.absmax[c]), fmt::format("{:.6g}", channels.rms[c])});
        table.print();
    }
}

void printProblems(const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) {
        const std::string message = problem.message();
        // Most sentences name their file already.
        const std::string place = message.find(problem.file) == std::string::npos ? problemPlace(problem) + ": " : "";
        fmt::print("{}: {}{}\n", severityName(problem.severity), escapeControls(toUtf8(place)), escapeControls(toUtf8(message)));
    }
}

void printWhole(const Model& model, const InspectOptions& options, bool withMetadata) {
    printSummary(model, options.path);
    if (withMetadata) {
        if (!model.metadata.members.empty()) fmt::print("\nMetadata\n");
        printMetadata(model.metadata, "");
    }
    fmt::print("\n");
    if (model.series) printSeries(*model.series);
    if (model.checkpoint) printCheckpoint(*model.checkpoint);
    printTypes(model);
    fmt::print("\n");
}

void printContents(const Inspection& inspection, const InspectOptions& options) {
    printAllTensors(inspection);
    if (options.statistics) {
        fmt::print("\n");
        printStatistics(inspection);
        printDevices(inspection);
        printSpectra(inspection);
        printSeriesStatistics(inspection);
    }
    printMatrices(inspection);
    if (options.hashes) {
        fmt::print("\n");
        printHashes(inspection);
    }
    if (options.channels) printChannels(inspection, *options.channels);
}

} // namespace

void printInspectionTables(const Inspection& inspection, const InspectOptions& options, bool isQuiet) {
    // Who asks for some tensors, or for numbers of all, does not ask for the metadata.
    const bool isOfSome = !options.tensorGlobs.empty() || !options.filter.empty() || !options.exportFile.empty();
    if (isQuiet) {
        if (!isOfSome) printSummary(*inspection.model, options.path);
    } else {
        if (!isOfSome) printWhole(*inspection.model, options, !options.statistics && !options.channels);
        printContents(inspection, options);
    }
    if (!options.exportFile.empty()) fmt::print("\nSaved the values to {}.\n", escapeControls(toUtf8(options.exportFile)));
    if (!inspection.model->problems.empty() || !inspection.problems.empty()) fmt::print("\n");
    printProblems(inspection.model->problems);
    printProblems(inspection.problems);
}

} // namespace wb::cli
