// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/model/model.h"

// The JSON of `wb inspect` (docs/reference/command_line.md), shared by the command line and the window's export.
namespace wb {

void writeJson(JsonWriter& out, const Value& value);
void writeJson(JsonWriter& out, const Problem& problem);

// The members of one tensor without the braces, so that the caller can add "stats" or "channels".
void writeTensorMembers(JsonWriter& out, const Model& model, const TensorInfo& tensor);

// Every member of the document but "tensors" and "problems", without the braces; `path` is printed as the user gave it.
void writeModelMembers(JsonWriter& out, const Model& model, std::string_view path);

// "file byte 123", "file", "byte 123" or "" for the model as a whole.
std::string problemPlace(const Problem& problem);

} // namespace wb
