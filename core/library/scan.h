// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

namespace wb::library {

// Lists the models of these stores. Headers that `index` does not know yet are read, `threads` at once (0: as many as the machine
// has), and kept in it; `progress` counts them. A store that does not exist is omitted unless the user chose it. Only a stop is an
// error: what cannot be read is a problem of its store, or an entry that is damaged.
Result<Listing> scan(const std::vector<Store>& stores, FactsIndex& index, unsigned threads, const Progress& progress);

// Computes the sha256 of weight files that have the size of another file and no known hash, keeps them in `index`, and marks the
// entries with equal weights as duplicates of each other. `progress` counts bytes.
Result<void> findDuplicates(Listing& listing, FactsIndex& index, const Progress& progress);

// Marks them by the hashes that are known already; part of scan().
void markDuplicates(Listing& listing);

} // namespace wb::library
