// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb::convert {

// Texts of a folder's model (config.json, the tokenizer's files) that a job changes before it reads them: the model has them in
// memory under the file's name, and its files keep their place in Model::files.

// Changes the text of the file, or adds the file; an empty text means that the folder has none. `other`: the state
// of the file that the text comes from; empty: of the replaced one.
void setText(Model& model, const std::string& name, std::string text, const std::optional<io::Identity>& other = {});

// The changed text, which may be empty; null if the file is as it is on the disk.
const io::ByteSource* changedText(const Model& model, const std::string& name);

// The text of a file of the folder as jobs read it; empty if the folder has no such file. TooLarge beyond `maximum` bytes.
Result<std::optional<std::string>> readText(const Model& model, const std::string& name, std::uint64_t maximum);

} // namespace wb::convert
