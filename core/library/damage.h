// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

#include <stop_token>

// Which models of a library are damaged: strict opening, as Chat, conversion and quantizing do it, refuses them. A file is judged
// by its facts (facts.h); this part judges models of several files, whose parts must all exist and agree.
namespace wb::library {

// Whether a refusal of strict opening means damage: not where the format is unsupported, or the work was stopped.
bool isDamage(const Error& error);

// Why strict opening of this file or folder refuses it as damaged; empty if it opens, or is not a model that this program reads.
// Reads headers only.
std::optional<Error> damageOf(const std::filesystem::path& path, const std::stop_token& stop);

// Marks the entries of several files (shards, parts of a split GGUF, pipelines) that strict opening refuses. Only GGUF and
// safetensors are opened; `index` keeps the verdicts for as long as none of the files changes. `threads` as in scan(). Only a stop
// is an error.
Result<void> markDamaged(Listing& listing, FactsIndex& index, unsigned threads, const Progress& progress);

} // namespace wb::library
