// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <QString>

namespace wb::ui {

// The sentence of an Error in the user's language: the format is looked up in the context "core", then the arguments are filled in.
QString translated(const Error& error);

} // namespace wb::ui
