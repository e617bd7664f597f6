// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Core ML models (apple/coremltools: mlmodel/format/Model.proto, NeuralNetwork.proto, MIL.proto; mlmodel/src/MILBlob/Blob;
// docs/reference/formats.md, "Core ML"): .mlmodel files, .mlpackage folders, and .mlmodelc folders that Xcode compiled.
namespace wb::coreml {

// Whether the fields of the outermost message are those of a Model, to the last byte. Reads some bytes per field.
bool sniff(const io::ByteSource& source);

bool isPackage(const std::filesystem::path& folder);
bool isCompiled(const std::filesystem::path& folder);

// The weights of the layers of a neural network ("ip1.weights"), of a linear model, or of an ML program: its constants under their
// own names, stored in weights/weight.bin next to the model, and as logical tensors the arguments of operations ("fc1.weight"),
// decompressed where a constexpr operation compresses them. Weights that are quantized in a neural network are stored as codes,
// with a logical tensor of the same name. Of a network that was compiled to model.espresso.net the blobs of model.espresso.weights
// under the names of their layers ("conv1.weights"), with the shape of a convolution or a matrix where the layer states one. Models
// of a pipeline have their number in front of the names. Trees, support vectors and
// other kinds without tensors have metadata alone. Model::version is that of the specification.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> openPackage(const std::filesystem::path& folder, const formats::OpenOptions& options);
Result<ModelPtr> openCompiled(const std::filesystem::path& folder, const formats::OpenOptions& options);

// The task in the worker: the model, a message or for a compiled one the text of a program, then the files of its folder
// "weights", whose names `wish` holds, one a line.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::coreml
