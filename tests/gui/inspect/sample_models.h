// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include <QString>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace wb::test {

// The index of a made-up language model without files: `layers` blocks of nine tensors in GGUF spelling, out of natural order.
ModelPtr makeModel(std::uint32_t layers);
stats::Contents makeContents(std::uint32_t layers);

// As makeContents, with statistics for every tensor that differ from row to row.
stats::Contents makeContentsWithStatistics(std::uint32_t layers);

struct SampleTensor {
    std::string name;
    std::vector<std::uint64_t> shape;
    std::vector<float> values;
};

// A safetensors file of F32 tensors with three in two layers: embed 2 x 3, model.layers.0.self_attn.q_proj.weight and
// model.layers.1.self_attn.q_proj.weight 2 x 2.
std::vector<SampleTensor> sampleTensors();
QString writeSafetensors(const QTemporaryDir& folder, const QString& name, const std::vector<SampleTensor>& tensors);

} // namespace wb::test
