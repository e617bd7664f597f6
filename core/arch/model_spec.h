// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wb::arch {

struct Family;

// Caps on what a file may claim. The first two are the reference's own (ggml-org/llama.cpp: src/llama-hparams.h, LLAMA_MAX_LAYERS
// and LLAMA_MAX_EXPERTS); the others are far above any model known, and small enough that products of three do not overflow 64
// bits.
inline constexpr std::uint64_t maxLayers = 512;
inline constexpr std::uint64_t maxExperts = 1024;
inline constexpr std::uint64_t maxHeads = 1 << 16;
inline constexpr std::uint64_t maxHeadLength = 1 << 18; // also ranks, states and convolutions
inline constexpr std::uint64_t maxWidth = 1 << 24;
inline constexpr std::uint64_t maxVocabulary = 1 << 28;
inline constexpr std::uint64_t maxContext = 0xffff'ffff;
inline constexpr std::uint64_t maxStreams = 16;
inline constexpr std::uint64_t maxNgram = 8;       // tokens
inline constexpr std::uint64_t maxNgramHeads = 64; // for each length

enum class NormKind : std::uint8_t { Rms, Layer };
enum class NormPlacement : std::uint8_t { Before, After, Both }; // of the norms of attention and feed-forward
enum class Activation : std::uint8_t {
    Silu,
    GeluTanh,
    GeluErf,
    Relu,
    ReluSquared,
    ClampedSwiglu // gpt-oss: min(gate, 7) / (1 + e^(-1.702 gate)) * (clamp(up, -7, 7) + 1)
};

// Which elements of a head one rotation takes (docs/reference/inference.md, "Rope"): 2j and 2j+1; j and j +
// dimensions/2; the same with an angle for each section; the same with interleaved sections.
enum class RopeStyle : std::uint8_t { None, Adjacent, Halves, Sections, InterleavedSections };
enum class RopeScaling : std::uint8_t { None, Linear, Yarn, LongRope };

// How a router turns logits into probabilities; the numbers are those of expert_gating_func.
enum class Gating : std::uint8_t { None = 0, Softmax = 1, Sigmoid = 2, SoftmaxOfChosen = 3, SqrtSoftplus = 4 };

// How a layer without a growing cache remembers (docs/reference/memory.md, "Recurrent state").
enum class Recurrence : std::uint8_t {
    None,
    Mamba,            // selective state space, a rank for the time step
    Mamba2,           // the same with groups and heads
    DeltaNet,         // gated delta rule: Qwen3-Next, Qwen3.5
    Kda,              // Kimi's delta attention
    ShortConvolution, // LFM2
    Rwkv
};

// One layer. Families differ in which parts a layer has, so each layer states its own; absent parts are 0, None or false.
struct LayerSpec {
    Recurrence recurrence = Recurrence::None;
    std::uint64_t heads = 0;       // of queries; 0: no attention
    std::uint64_t kvHeads = 0;     // 0: no attention; 1 with latent attention
    std::uint64_t keyLength = 0;   // elements of one head that the cache keeps; with latent attention the rank and the rotated part
    std::uint64_t valueLength = 0; // 0 with latent attention, which keeps keys only
    std::uint64_t window = 0;      // tokens that it looks back; 0: all
    bool chunked = false;          // `window` is the length of a chunk, and it looks back to the beginning of the token's own
    std::uint64_t indexBlock = 0;  // tokens of one key of its indexer; 0: it has no indexer
    bool selects = false;          // it attends to the tokens that its indexer, or that of an earlier layer, selects
    std::uint32_t cacheLayer = 0;  // the layer whose keys and values it uses; its own number where it stores its own
    std::uint64_t ropeDimensions = 0; // rotated elements of a head; 0: positions are not rotated
    float ropeBase = 0;
    std::uint64_t feedForward = 0;       // width of the dense MLP
    std::uint64_t expertsUsed = 0;       // of the routed experts, for one token
    std::uint64_t expertWidth = 0;       // of one routed expert
    std::uint64_t sharedExpertWidth = 0; // of all shared experts together
    bool predictsAhead = false;          // belongs to the head that predicts additional tokens

    bool hasAttention() const { return kvHeads > 0; }
    bool ownsCache(std::size_t index) const { return hasAttention() && !predictsAhead && cacheLayer == index; }

    friend bool operator==(const LayerSpec&, const LayerSpec&) = default;
};

struct RopeSpec {
    RopeStyle style = RopeStyle::None;
    std::array<std::uint64_t, 4> sections{}; // dimension pairs of time, height, width and the rest
    RopeScaling scaling = RopeScaling::None; // of the layers without a window
    float factor = 1;                        // positions are divided by it
    std::uint64_t originalContext = 0;       // tokens the model was trained with before it was stretched
    float attentionFactor = 1;
    float yarnExtFactor = -1; // -1: not stated
    float yarnBetaFast = 32;
    float yarnBetaSlow = 1;
    float yarnLogMultiplier = 0;
    bool hasFactors = false; // a factor for each dimension pair: rope_freqs.weight, or the long and short ones

    friend bool operator==(const RopeSpec&, const RopeSpec&) = default;
};

// The factors in config.json that GGUF stores as tensors; empty when a GGUF was read.
struct RopeFactors {
    bool llama3 = false;
    float factor = 8, lowFrequencyFactor = 1, highFrequencyFactor = 4; // of llama3
    std::uint64_t originalContext = 8192;
    std::vector<float> shortFactors, longFactors; // of LongRope
    float rotatedPart = 0;                        // of "proportional" (Gemma 4): this part of a head is rotated, 0 elsewhere
};

struct ExpertSpec {
    std::uint64_t count = 0; // routed
    std::uint64_t shared = 0;
    std::uint64_t leadingDense = 0; // layers without experts at the beginning
    std::uint64_t groups = 0;
    std::uint64_t groupsUsed = 0;
    Gating gating = Gating::None;
    bool normalizesWeights = false;
    float weightScale = 1;
    std::uint64_t latentWidth = 0; // width that experts work in where it is not the model's

    friend bool operator==(const ExpertSpec&, const ExpertSpec&) = default;
};

// Multi-head latent attention (DeepSeek, GLM-4.7-Flash, Kimi); keyValueRank 0: none.
struct LatentSpec {
    std::uint64_t queryRank = 0; // 0: queries are projected at once
    std::uint64_t keyValueRank = 0;
    std::uint64_t keyLength = 0; // of a head before compression, the rotated part included
    std::uint64_t valueLength = 0;

    friend bool operator==(const LatentSpec&, const LatentSpec&) = default;
};

// An indexer selects the tokens that a layer attends to (arXiv 2512.02556); topK 0: none.
struct IndexerSpec {
    std::uint64_t heads = 0, keyLength = 0;
    std::uint64_t topK = 0; // tokens

    friend bool operator==(const IndexerSpec&, const IndexerSpec&) = default;
};

// Several residual streams, whose mixture is the input of each block (hyper-connections); count 0: one.
struct StreamSpec {
    std::uint64_t count = 0;
    std::uint64_t rank = 0; // of the matrices that mix them

    friend bool operator==(const StreamSpec&, const StreamSpec&) = default;
};

// Embeddings of the last tokens together, found by hashes (Qwen3.8-Flash-Next); size 0: none. A config.json leaves out the lists.
struct NgramSpec {
    std::vector<std::uint64_t> layers;         // to whose inputs they are added
    std::uint64_t size = 0;                    // tokens of the longest n-gram; the shortest has two
    std::uint64_t headsEach = 0;               // hashes for each length
    std::uint64_t length = 0;                  // numbers that one hash yields: a row of the table
    std::uint64_t convolution = 0;             // columns
    std::uint64_t endToken = 0;                // n-grams do not reach back to it or beyond
    std::vector<std::uint64_t> multipliers;    // [size]
    std::vector<std::uint64_t> offsets, sizes; // [heads]: the rows of each head

    std::uint64_t heads() const { return size < 2 ? 0 : (size - 1) * headsEach; }
};

struct RecurrentSpec {
    Recurrence kind = Recurrence::None;
    std::uint64_t convolution = 0; // columns of the convolution, the present token included
    std::uint64_t inner = 0;
    std::uint64_t state = 0;
    std::uint64_t groups = 0;
    std::uint64_t steps = 0;      // rank of the time step in Mamba, number of heads elsewhere
    std::uint64_t headLength = 0; // of Kda and Rwkv
    std::uint64_t shifts = 0;     // tokens that Rwkv shifts

    friend bool operator==(const RecurrentSpec&, const RecurrentSpec&) = default;
};

// The hyperparameters of a language model, read once, whatever file they stood in. Absent numbers have the family's default, or 0.
struct ModelSpec {
    std::string architecture;           // GGUF's word (general.architecture), also where config.json was read
    const Family* family = nullptr;     // null: not in the table; the general defaults hold
    std::uint64_t blockCount = 0;       // as stored: the trunk and the layers that predict additional tokens
    std::uint64_t predictionLayers = 0; // the last ones of `layers`
    std::uint64_t passes = 1;           // how often a token goes through the layers (num_loops)
    std::uint64_t headCount = 0;        // as stated for the first layer, whether it attends or not; see `layers` for each
    std::uint64_t kvHeadCount = 0;
    std::uint64_t width = 0;
    std::uint64_t vocabulary = 0;
    std::uint64_t context = 0;     // tokens it was trained for
    std::vector<LayerSpec> layers; // blockCount of them
    bool tiedEmbeddings = false;   // the output matrix is the embedding
    bool causal = true;
    bool parallelResidual = false; // attention and feed-forward read the same norm
    NormKind norm = NormKind::Rms;
    NormPlacement normPlacement = NormPlacement::Before;
    float normEpsilon = 0;
    Activation activation = Activation::Silu;
    bool gatedFeedForward = true;
    std::uint64_t window = 0; // of the layers that have one
    RopeSpec rope;
    RopeFactors ropeFactors;
    ExpertSpec experts;
    LatentSpec latent;
    RecurrentSpec recurrent;
    IndexerSpec indexer;
    StreamSpec streams;
    NgramSpec ngrams;
    std::uint64_t perLayerInput = 0; // width of Gemma's embeddings for each layer
    float attentionScale = 0;        // of the scores; 0: 1/sqrt of the key length (of latent.keyLength where that is set)
    float attentionSoftcap = 0;      // 0: none, like the next two
    float finalSoftcap = 0;
    float routerSoftcap = 0;
    float attentionClamp = 0; // of q, k and v
    float maxAlibiBias = 0;
    float temperatureScale = 0; // of queries by position: *= 1 + scale * ln(1 + floor((position + offset) / context))
    std::uint64_t temperatureContext = 0, temperatureOffset = 0;
    bool temperatureOfRopeless = false; // only layers that do not rotate have it
    float embeddingScale = 1;
    float residualScale = 1;
    float logitScale = 1; // multiplies the logits

    std::size_t trunkLayers() const { return layers.size() - static_cast<std::size_t>(predictionLayers); }
    bool hasExperts() const { return experts.count > 0; }
};

// The hyperparameters of an opened model: the GGUF keys under general.architecture, else the folder's config.json. A model that
// states no block count yields a spec without layers. Unsupported: a model that has neither, a config.json of an unknown family.
// Malformed, with the key and the file: numbers of the wrong type (loaders take block, head and expert counts as u32 only), beyond
// the caps above, or against each other.
Result<ModelSpec> readSpec(const Model& model);

// The same for the parsed config.json alone; `file` names it in errors.
Result<ModelSpec> specOfConfig(const ValueObject& config, const std::string& file);

} // namespace wb::arch
