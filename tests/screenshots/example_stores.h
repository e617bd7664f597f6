// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::screenshots {

// Fills the stores of a user whose home is this folder with invented models of every program that keeps models. Large ones are
// files with a header and a hole.
void fillStores(const QString& home);

// Removes them again.
void emptyStores(const QString& home);

} // namespace wb::screenshots
