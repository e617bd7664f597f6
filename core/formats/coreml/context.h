// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/index/index.h"
#include "core/formats/packed/packed.h"
#include "core/formats/proto/proto.h"

#include <map>

// Inside the room: what the readers of all kinds of models share.
namespace wb::coreml {

inline constexpr std::uint64_t maxName = 64 << 10;

class Context {
public:
    Context(const formats::Sources& sources, std::string_view weightFiles, const formats::OpenOptions& options);

    const io::ByteSource& source() const { return *m_sources[0]; }
    formats::Findings& findings() { return m_findings; }
    formats::Index& index() { return m_index; }
    const formats::OpenOptions& options() const { return m_options; }

    // TooLarge where the model has more tensors than are read.
    Result<void> add(TensorInfo tensor);
    void makeUnavailable(TensorInfo& tensor, const char* why);
    void addFact(std::string key, Value value);

    // The number of the source for a file that the model names ("@model_path/weights/weight.bin"); empty where it is missing. A
    // name outside the model's folder is a problem.
    std::optional<std::uint32_t> weightFile(const std::string& name);
    const io::ByteSource& weights(std::uint32_t file) const { return *m_sources[file]; }

private:
    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    std::map<std::string, std::uint32_t, std::less<>> m_weightFiles;
};

// The number of bytes that a message's field holds in one run.
struct Run {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

// NeuralNetwork, NeuralNetworkClassifier and NeuralNetworkRegressor: `prefix` goes before all names.
Result<void> readNeuralNetwork(Context& context, proto::Message network, const std::string& prefix);

// Program: the ML program of a model, and the same as text.
Result<void> readProgram(Context& context, proto::Message program, const std::string& prefix);
Result<void> readProgramText(Context& context, std::string_view text);

// A neural network as Core ML compiled it before ML programs existed: JSON of the layers, and the weights as the second source.
Result<void> readEspresso(Context& context);

// The metadata that a blob of a weight file starts with.
struct BlobInfo {
    std::uint32_t type = 0;
    std::uint64_t offset = 0; // of its data
    std::uint64_t bytes = 0;
};
std::optional<BlobInfo> readBlob(const io::ByteSource& file, std::uint64_t offset);

// A tensor of a blob's values.
struct BlobType {
    Dtype dtype = Dtype::Unknown;
    const char* name = ""; // of an Unknown one
    packed::Encoding encoding = packed::Encoding::Plain;
    std::uint8_t bits = 0;
};
std::optional<BlobType> blobType(std::uint32_t type);

} // namespace wb::coreml
