// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of statistics in the Predictive Model Markup Language (Data Mining Group: PMML 4.4; docs/reference/formats.md, "PMML").
namespace wb::pmml {

bool sniff(std::string_view head);

// The numbers of a document as tensors of F64, kept in memory: "<model>.intercept" and "<model>.coefficients" of a regression (a
// table each: "<model>.table1.…"), "<model>.layer0.weight" and ".bias" of a neural network, "<model>.centers" of clusters,
// "<model>.coefficients" of support vectors. Trees and other models have metadata: how many nodes, how deep. Extensions are named;
// nothing of them is run. Model::version is that of the language. Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::pmml
