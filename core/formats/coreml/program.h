// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/coreml/context.h"

// Inside the room: ML programs (MIL), whatever form they are written in.
namespace wb::coreml {

// A typed value of a program.
struct MilValue {
    Dtype dtype = Dtype::Unknown;
    std::string typeText; // of an Unknown one
    std::vector<std::uint64_t> sides;
    std::optional<std::string> blobFile; // "@model_path/weights/weight.bin" …
    std::uint64_t blobOffset = 0;        // … and where its metadata is there
    std::vector<std::byte> bytes = {};   // of a value in the program, little-endian; empty where it is long
    std::optional<Run> run;              // of numbers in the model file that are stored as they are
};

// An argument is a value or the name of another operation's output.
struct MilArgument {
    std::string name;
    std::optional<MilValue> value;
};

struct MilOperation {
    std::string type;
    std::string output;                           // the name of its first output …
    MilValue result;                              // … and its type
    std::map<std::string, MilArgument> arguments; // inputs and attributes
};

// Makes tensors of the operations of a program, which come in their order.
class ProgramTensors {
public:
    ProgramTensors(Context& context, std::string prefix) : m_context(context), m_prefix(std::move(prefix)) {}

    Result<void> add(const MilOperation& operation);
    void finish(); // the metadata

private:
    // A constant or decompressed weight, by the name of its output.
    struct Known {
        std::optional<TensorInfo> stored;     // a constant
        std::optional<packed::Weight> packed; // a decompressed weight …
        std::uint32_t file = 0;               // … made of this file
        std::string scheme;
        std::vector<std::string> parts;
        std::vector<std::uint64_t> sides;
        std::uint64_t bytes = 0;
    };

    Result<void> addConstant(const MilOperation& operation);
    Result<void> addCompressed(const MilOperation& operation);
    Result<void> addWeights(const MilOperation& operation);
    Result<std::optional<TensorInfo>> storedTensor(const std::string& name, const MilValue& value);
    bool takePart(const MilOperation& operation, const char* key, packed::Part& part, Known& known);
    bool describe(const MilOperation& operation, Known& known);

    Context& m_context;
    std::string m_prefix;
    std::map<std::string, Known> m_known;
    std::map<std::string, std::uint64_t> m_counts;
};

} // namespace wb::coreml
