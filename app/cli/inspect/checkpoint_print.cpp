// SPDX-License-Identifier: MIT
#include "app/cli/inspect/checkpoint_print.h"

#include "app/cli/table.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wb::cli {
namespace {

template <class T>
void printFact(const char* what, const std::optional<T>& value) {
    if (value) fmt::print("{:<13} {}\n", what, *value);
}

std::string shown(const std::string& text) { return escapeControls(toUtf8(text)); }

void printWorld(const TrainingWorld& world) {
    std::vector<std::string> parts;
    const auto add = [&](const char* name, const std::optional<std::uint64_t>& ranks) {
        if (ranks) parts.push_back(fmt::format("{} {}", name, *ranks));
    };
    add("data", world.data);
    add("tensor", world.tensor);
    add("pipeline", world.pipeline);
    add("expert", world.expert);
    if (!parts.empty()) fmt::print("{:<13} {}\n", "Ranks", fmt::join(parts, ", "));
}

template <class T>
std::string cell(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "–";
}

std::string filesCell(const std::vector<std::string>& files) {
    if (files.empty()) return "–";
    return files.size() == 1 ? shown(files[0]) : fmt::format("{} files", files.size());
}

} // namespace

void printCheckpoint(const Checkpoint& checkpoint) {
    fmt::print("Checkpoint    {}{}\n", shown(checkpoint.framework),
               checkpoint.frameworkVersion ? " " + shown(*checkpoint.frameworkVersion) : "");
    printFact("Step", checkpoint.step);
    printFact("Epoch", checkpoint.epoch);
    printFact("Loss", checkpoint.loss);
    if (checkpoint.optimizerName) printFact("Optimizer", std::optional(shown(*checkpoint.optimizerName)));
    printFact("Learning rate", checkpoint.learningRate);
    if (checkpoint.precision) printFact("Precision", std::optional(shown(*checkpoint.precision)));
    printWorld(checkpoint.world);
    if (!checkpoint.rng.empty())
        fmt::print("{:<13} {}\n", "Random states", shown(fmt::format("{}", fmt::join(checkpoint.rng, ", "))));
    fmt::print("{:<13} {}\n", "Resumable", checkpoint.isResumable ? "yes" : "no");
    std::vector<std::string> missing;
    for (const MissingPart& part : checkpoint.missing) missing.push_back(shown(missingText(part)));
    if (!missing.empty()) fmt::print("{:<13} {}\n", "Missing", fmt::join(missing, "; "));
    fmt::print("\n");
    Table table({{"Part"}, {"Tensors", true}, {"Elements", true}, {"Size", true}, {"Files"}});
    for (const PartSummary& part : checkpoint.parts)
        table.add({checkpointPartName(part.part), part.tensors != 0 ? fmt::format("{}", part.tensors) : "–",
                   part.tensors != 0 ? fmt::format("{}", part.parameters) : "–", part.bytes != 0 ? humanBytes(part.bytes) : "–",
                   filesCell(part.files)});
    table.print();
    fmt::print("\n");
}

void printSeries(const std::vector<SeriesEntry>& series) {
    Table table({{"Checkpoint"}, {"Step", true}, {"Epoch", true}, {"Loss", true}, {"Size", true}, {"Parts"}});
    for (const SeriesEntry& entry : series) {
        std::vector<std::string> parts;
        for (const CheckpointPart part : entry.parts) parts.emplace_back(checkpointPartName(part));
        table.add({shown(entry.path), cell(entry.step), cell(entry.epoch), cell(entry.loss), humanBytes(entry.bytes),
                   fmt::format("{}", fmt::join(parts, ", "))});
    }
    table.print();
    fmt::print("\n");
}

} // namespace wb::cli
