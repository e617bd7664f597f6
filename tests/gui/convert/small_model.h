// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace wb::test {

// Writes a llama of two layers, F32, 256 wide, into the folder and gives its path.
QString writeModel(const QString& folder);

// The same with this chat template, as "template.gguf".
QString writeModelWithTemplate(const QString& folder, std::string_view source);

// Writes one whose tensors have these names, F32, 256 by 256, and gives its path.
QString writeModelWith(const QString& path, const std::vector<std::string>& tensors);

// The small one in two files, "model-f32-00001-of-00002.gguf" and the next; gives the first one's path.
QString writeSplitModel(const QString& folder);

// Writes an importance matrix that knows one tensor of these and gives its path.
QString writeMatrix(const QString& path);

} // namespace wb::test
