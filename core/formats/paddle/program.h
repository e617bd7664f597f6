// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/io/byte_source.h"
#include "core/tensor/dtype.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Inside the room: the variables and operators of a program, and the description of a tensor.
namespace wb::paddle {

struct TensorDescription {
    std::uint64_t type = 0;           // VarType.Type
    std::vector<std::uint64_t> shape; // -1 of the file is the greatest number
};

struct Variable {
    std::string name;
    TensorDescription tensor;
};

struct Program {
    std::vector<Variable> variables;                // with values, by name
    std::map<std::string, std::uint64_t> operators; // by type
    std::uint64_t version = 0;
};

// The element type that VarType.Type names; Unknown for those without a twin here.
Dtype elementType(std::uint64_t type);

// A TensorDesc of `bytes` bytes at `begin`.
Result<TensorDescription> readDescription(const io::ByteSource& source, std::uint64_t begin, std::uint64_t bytes);

Result<Program> readProgram(const io::ByteSource& source, const formats::OpenOptions& options);

} // namespace wb::paddle
