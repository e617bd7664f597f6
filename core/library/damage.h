// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

// Which models of a library are damaged by the rule of core/verify/damage.h. A file is judged by its facts (facts.h); this part
// judges models of several files, whose parts must all exist and agree.
namespace wb::library {

// Marks the entries of several files (shards, parts of a split GGUF, pipelines) that strict opening refuses. Only GGUF and
// safetensors are opened; `index` keeps the verdicts for as long as none of the files changes. `threads` as in scan(). Only a stop
// is an error.
Result<void> markDamaged(Listing& listing, FactsIndex& index, unsigned threads, const Progress& progress);

} // namespace wb::library
