// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// OpenVINO IR: a graph in XML and its values in a .bin file next to it (openvinotoolkit/openvino: docs, "OpenVINO IR format";
// docs/reference/formats.md, "OpenVINO IR").
namespace wb::openvino {

// Whether the text starts with the root element of a network.
bool sniff(std::string_view head);

// All constants of the graph and of the graphs inside it, stored in the .bin file. A constant that reaches an operator of weights
// (MatMul, Convolution, Gather …) through conversions, a zero point and a scale is a logical tensor, too, "<operator>.weight".
// Types without a place in core/tensor (NF4, U1, U3, U6, STRING) are listed without statistics. Without the .bin file every
// tensor is unavailable. Model::version is that of the IR. `path` names the .xml file.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker: the .xml, and where it exists the .bin.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::openvino
