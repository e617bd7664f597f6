// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/formats/peft/peft.h"
#include "core/model/model.h"
#include "core/stats/series_statistics.h"
#include "core/stats/spectral/spectrum.h"
#include "core/stats/stats.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

enum class Spectra { Full, Fast };

// What `wb inspect` was asked for.
struct InspectOptions {
    std::string path;
    std::vector<std::string> tensorGlobs;
    std::string filter;
    bool statistics = false;
    bool series = false; // with statistics: in every checkpoint of the folder
    bool hashes = false; // sha256 of the values
    std::optional<Spectra> spectra;
    std::optional<stats::Axis> channels;
    std::uint32_t bins = 256;
    std::string exportFile;
    bool tellsDamage = false; // by the exit status
};

// The result: the model, the indices of the chosen tensors, and one entry a chosen tensor where statistics were asked for (empty
// for tensors without readable values). `problems` are those of the computation; the model has its own.
struct Inspection {
    ModelPtr model;
    std::vector<std::size_t> chosen;
    std::vector<std::optional<stats::TensorStats>> statistics;
    std::vector<Problem> problems = {};
    std::vector<std::optional<std::string>> hashes = {};  // of the chosen tensors, where they were asked for
    std::map<std::size_t, peft::Spectrum> spectra = {};   // with statistics: by index, of what an adapter adds to a weight
    std::map<std::size_t, stats::Spectrum> matrices = {}; // where they were asked for: by index, of weights that have one
    std::vector<stats::CheckpointStatistics> series = {}; // where they were asked for: in the order of Model::series
};

void printInspectionJson(const Inspection& inspection, const InspectOptions& options);
void printInspectionTables(const Inspection& inspection, const InspectOptions& options, bool isQuiet);

} // namespace wb::cli
