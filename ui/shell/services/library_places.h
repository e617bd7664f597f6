// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/remove.h"
#include "core/library/scan.h"

namespace wb::ui {

// Where the library looks and how it removes.
struct LibraryPlaces {
    wb::library::Environment environment;     // of the usual stores
    wb::library::FactsIndex* index = nullptr; // thread-safe
    wb::library::Trash trash;
};

} // namespace wb::ui
