// SPDX-License-Identifier: MIT
#include "core/memory/training/activations.h"
#include "core/memory/training/optimizers.h"
#include "core/memory/training/training.h"
#include "tests/unit/memory/measured.h"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

// The table of docs/reference/memory.md, "Others" as data: runs that others published, each within the error that it is allowed.
namespace wb::memory {
namespace {

using Row = std::map<std::string, std::string>;

void take(const std::string& word, TrainingSettings& settings) {
    const std::size_t sign = word.find('=');
    const std::string key = word.substr(0, sign), value = sign == std::string::npos ? "" : word.substr(sign + 1);
    if (key == "train") settings.method = methodFromName(value).value();
    else if (key == "base") settings.base = baseFromName(value).value();
    else if (key == "rank") settings.rank = std::stoull(value);
    else if (key == "sequence") settings.sequence = std::stoull(value);
    else if (key == "batch") settings.batch = std::stoull(value);
    else if (key == "zero") settings.zeroStage = std::stoull(value);
    else if (key == "gpus") settings.gpus = std::stoull(value);
    else if (key == "fsdp") settings.zeroStage = 3, settings.gpus = std::stoull(value);
    else if (key == "offload") settings.offload = offloadFromName(value).value();
    else if (key == "optimizer") settings.optimizer = optimizerFromName(value);
    else if (key == "double") settings.doubleQuantized = true;
    else if (key == "chunked") settings.chunkedLoss = true;
    else if (key == "plain") settings.checkpointing = false;
    else if (key == "eager") settings.flash = false;
    else FAIL() << word;
}

TrainingSettings otherSettings(const Row& row) {
    TrainingSettings settings;
    std::istringstream words(row.at("settings"));
    for (std::string word; words >> word;) take(word, settings);
    return settings;
}

double unitFromUnit(const std::string& unit) {
    if (unit == "bytes") return 1;
    return unit == "GB" ? 1e9 : unit == "GiB" ? 1 << 30 : 1 << 20;
}

// What peft keeps in 32 bits and such a program in 16.
TrainingSettings in16Bits(TrainingSettings settings) {
    settings.base = BaseType::Bf16;
    settings.method = settings.method == Method::Qlora ? Method::Lora : settings.method;
    settings.doubleQuantized = false;
    return settings;
}

std::uint64_t activationBytes(const Subject& subject, const TrainingSettings& settings, const std::string& stack) {
    return activationBytes(subject.spec, stack == "lean" && settings.isQuantized() ? in16Bits(settings) : settings);
}

double allocated(const Subject& subject, const TrainingSettings& settings, const std::string& stack) {
    const auto estimate = estimateTraining(subject, settings);
    EXPECT_TRUE(estimate) << estimate.error().message();
    if (!estimate) return 0;
    double bytes = static_cast<double>(estimate->gpu() - estimate->part(PartKind::Reserve) - estimate->part(PartKind::Context));
    if (stack == "peft") return bytes;
    const double share = settings.zeroStage == 3 ? static_cast<double>(settings.gpus) : 1;
    if (settings.trainsAdapters()) bytes -= 4 * static_cast<double>(estimate->trainable) / share;
    if (stack != "lean" || !settings.isQuantized()) return bytes;
    bytes -= 2 * static_cast<double>(countParameters(subject)->other) / share;
    return bytes + static_cast<double>(activationBytes(subject, settings, stack)) -
           static_cast<double>(activationBytes(subject, settings, "peft"));
}

double tokenBytes(const Subject& subject, TrainingSettings settings, const std::string& stack) {
    const double shorter = static_cast<double>(activationBytes(subject, settings, stack));
    settings.sequence *= 2;
    return (static_cast<double>(activationBytes(subject, settings, stack)) - shorter) / static_cast<double>(settings.sequence / 2);
}

double layerBytes(Subject subject, const TrainingSettings& settings, const std::string& stack) {
    subject.spec.vocabulary = 1;
    const double checkpoints = 2.0 * static_cast<double>(subject.spec.trunkLayers() * subject.spec.width);
    return tokenBytes(subject, settings, stack) - checkpoints;
}

double estimated(const Row& row) {
    const Subject subject = test::measuredModel(row.at("model"));
    const TrainingSettings settings = otherSettings(row);
    const std::string& what = row.at("what");
    if (what == "token") return tokenBytes(subject, settings, row.at("stack"));
    if (what == "layer") return layerBytes(subject, settings, row.at("stack"));
    if (what == "base") return static_cast<double>(estimateTraining(subject, settings)->part(PartKind::Base));
    return allocated(subject, settings, row.at("stack"));
}

TEST(TrainingOfOthers, IsWithinTheErrorThatEachRowIsAllowed) {
    std::size_t compared = 0;
    for (const Row& row : test::table("training_others.tsv")) {
        const double bytes = estimated(row), measured = std::stod(row.at("measured")) * unitFromUnit(row.at("unit"));
        const double error = 100 * (bytes / measured - 1);
        EXPECT_GT(bytes, 0) << row.at("settings");
        std::cout << row.at("model") << ' ' << row.at("settings") << ": " << bytes / unitFromUnit(row.at("unit")) << " of "
                  << row.at("measured") << ' ' << row.at("unit") << ", " << error << " % (" << row.at("source") << ")\n";
        if (row.at("allowed") == "-") continue;
        ++compared;
        EXPECT_LE(std::abs(error), std::stod(row.at("allowed"))) << row.at("source");
    }
    EXPECT_EQ(compared, 14u);
}

} // namespace
} // namespace wb::memory
