// SPDX-License-Identifier: MIT
#include "core/arch/stream_spec.h"

#include <limits>

namespace wb::arch {
namespace {

constexpr std::uint64_t anyNumber = std::numeric_limits<std::uint64_t>::max();

} // namespace

StreamSpec readStreams(Hyperparameters& keys) {
    return {.count = keys.number("hyper_connection.count", maxStreams),
            .rank = keys.number("hyper_connection.low_rank", maxHeadLength)};
}

NgramSpec readNgrams(Hyperparameters& keys) {
    NgramSpec ngrams;
    ngrams.layers = keys.list("ple.layers", maxLayers, maxLayers);
    if (ngrams.layers.empty()) return ngrams;
    ngrams.size = keys.number("ple.ngram_size", maxNgram);
    ngrams.headsEach = keys.number("ple.heads_per_ngram", maxNgramHeads);
    ngrams.convolution = keys.number("ple.conv_kernel", maxHeadLength);
    ngrams.endToken = keys.number("ple.eos_token_id", maxVocabulary);
    ngrams.multipliers = keys.list("ple.layer_multipliers", maxNgram, anyNumber);
    ngrams.offsets = keys.list("ple.head_offsets", maxNgram * maxNgramHeads, anyNumber);
    ngrams.sizes = keys.list("ple.head_vocab_sizes", maxNgram * maxNgramHeads, anyNumber);
    return ngrams;
}

} // namespace wb::arch
