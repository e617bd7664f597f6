// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/library/facts.h"
#include "core/library/listing.h"

#include <memory>
#include <string>
#include <vector>

namespace wb::cli {

// The index that `wb library` and the window keep of the headers of models; in memory where there is no cache folder or no Qt.
std::unique_ptr<library::FactsIndex> openFactsIndex();

// The usual stores, the folders that the user chose in the window, and `named`, which replace those of the same path.
std::vector<library::Store> localStores(const std::vector<library::Store>& named);

inline constexpr Reason noLocalModel("cli.no_model");

// The path of the model that the user calls `text`: a file or folder as it is, else the model of the library with this id, else the
// one that `wb library --filter text` finds. Invalid where it finds several, NotFound where none; a text that looks like a path is
// returned as it is, so that opening it reports the cause.
Result<std::string> findLocalModel(const Context& context, const std::string& text);

} // namespace wb::cli
