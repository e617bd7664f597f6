// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"
#include "core/quant/mix/published_quality.h"

#include <optional>
#include <string>
#include <vector>

// The files of a repository as a user chooses among them: one variant a quantization, with all its parts.
namespace wb::hub {

enum class VariantKind { Gguf, Weights, Helper, Other }; // Helper: a projector or another GGUF that only serves a model

struct Variant {
    VariantKind kind = VariantKind::Other;
    std::string label;              // "Q4_K_M", "BF16"; of a helper, or without a name the file's own name
    std::vector<std::size_t> files; // indices into the list; the parts of a split in order
    std::uint64_t bytes = 0;
    quant::PublishedDivergence divergence; // of its type; of GGUF only
    bool isRecommended = false;

    // Bits of this file for each weight; 0 where the number of parameters is not known.
    double bitsPerWeight(std::uint64_t parameters) const;
};

// The type that the name of a GGUF file says, in capitals: "Q4_K_M"; empty of any other file, of helpers and where it says none.
std::string quantLabel(std::string_view path);

// GGUF variants first, the largest first, then sets of other weights, helpers, and everything else as one each. Refused files are
// omitted.
std::vector<Variant> groupVariants(const std::vector<RemoteFile>& files);

// The GGUF type that a label names ("Q4_K_M", also as "UD-Q4_K_M"); empty: it names none.
std::optional<quant::FileType> fileTypeOfLabel(std::string_view label);

// About what a GGUF file of this many bytes needs while it runs: half a gigabyte of buffers, and a tenth of the file for the cache
// of a usual context. Its header is more exact.
std::uint64_t roughNeed(std::uint64_t fileBytes);

struct Recommendation {
    Error reason; // a sentence in everyday words
    Error figure; // the published divergence that decides
};

// Marks the GGUF to take where this many bytes of memory are free (empty: all fit), by quant::adviseType with the published figures
// without an importance matrix; those with one count where no type that fits has the former. Empty where nothing is marked: no type
// was published, none fits, or there is only one.
std::optional<Recommendation> recommend(std::vector<Variant>& variants, std::optional<std::uint64_t> freeMemory);

} // namespace wb::hub
