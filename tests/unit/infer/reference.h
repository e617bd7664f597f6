// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/session.h"

#include "tests/unit/support/support.h"

#include <string>
#include <vector>

namespace wb::test {

// Σ(ours - reference)² / Σ reference².
double nmse(std::span<const float> ours, std::span<const float> reference);

// A model of the reference data with its expected results.
struct ArchModel {
    ModelPtr model;
    std::vector<infer::Token> tokens;
    std::vector<float> logits; // [tokens][vocabulary]
    std::vector<float> hidden; // [layers + 1][tokens][width]
    std::vector<infer::Token> greedyPrompt, greedy;
    std::vector<double> greedyMargin;

    static ArchModel open(const std::string& name);
};

std::unique_ptr<infer::Engine> makeEngine(const ModelPtr& model, const infer::EngineOptions& options = {});

// The logits of all positions, evaluated in batches of `piece`.
std::vector<float> allLogits(infer::Engine& engine, std::span<const infer::Token> tokens, std::size_t piece);

} // namespace wb::test
