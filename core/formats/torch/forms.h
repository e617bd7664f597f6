// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/torch/torch.h"
#include "core/model/danger.h"

// The containers of torch files. Each reader gets the source and fills the model.
namespace wb::torch {

struct Reading {
    std::shared_ptr<io::ByteSource> source;
    const formats::OpenOptions& options;
    formats::Findings& findings;
    Model& model;
    Danger& danger;
    const VisitObject& visit; // may be empty
};

Result<void> loadArchive(Reading& reading); // zip: torch.save since 1.6, TorchScript
Result<void> loadLegacy(Reading& reading);  // five pickles and the storages
Result<void> loadTar(Reading& reading);     // before 0.1.10

// An archive of torch.export (.pt2), which is one of zip too.
class Records;
bool isExport(const Records& records);
Result<void> loadExport(Reading& reading, const Records& records);

// How many calls that are harmless a model keeps; wb scan lists all.
inline constexpr std::size_t keptHarmlessCalls = 0;

} // namespace wb::torch
