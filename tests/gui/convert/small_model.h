// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::test {

// Writes a llama of two layers, F32, 256 wide, into the folder and gives its path.
QString writeModel(const QString& folder);

} // namespace wb::test
