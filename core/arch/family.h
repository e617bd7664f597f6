// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/folder_rules.h"
#include "core/arch/model_spec.h"
#include "core/arch/part_table.h"

#include <ranges>
#include <span>
#include <string_view>
#include <vector>

// Everything that the program knows of a family of models: one record, whose columns inspecting, conversion, inference, memory
// estimates and quantization read. The name of a family occurs in its record, in tests and in the documentation, nowhere else; a
// decision that needs code is an enum here, with its implementation in the room that uses it. CONTRIBUTING.md, "Adding a model
// family", has the steps. Records are in core/arch/families/.
namespace wb::arch {

enum class QueryKeyNorm : std::uint8_t { None, Head, Whole };

// How config.json lists the kinds of the layers: "layer_types" and its like, or a letter for each layer in
// "hybrid_override_pattern" (M: Mamba, *: attention, -: feed-forward, E: experts).
enum class LayerList : std::uint8_t { Types, Letters };

// The name of a splitting rule (core/text/tables/pretokenizers.txt) that the reference converter writes for one model type.
struct PreTokenizerName {
    std::string_view rule, name;
};

// A value in config.json's "model_type".
struct ModelType {
    std::string_view name;
    std::uint8_t windowPeriod = 0; // the last of every N layers attends to all tokens, if config.json does not list the layers
    bool writesHeadLength = false; // converters write the length of a head (width / heads) if config.json does not state it
    std::span<const MemberValue> defaults = {}; // values in transformers of members that config.json omits
    PreTokenizerName preTokenizer = {};         // instead of the rule's usual name
};

// A number that config.json may omit because the reference's classes have a default.
struct KeyDefault {
    const char* key; // of GGUF, without the architecture
    std::uint32_t value;
};

// The gating of files of one size that have no expert_gating_func, because they were made before the key existed.
struct GatingOfSize {
    std::uint64_t minBlocks = 0, maxBlocks = 0, vocabulary = 0;
    Gating gating = Gating::None;
};

// Attention in chunks, whose numbers loaders know without a key (Llama 4): see LayerSpec::chunked and ModelSpec::temperatureScale.
struct ChunkRules {
    std::uint32_t length = 0; // tokens, unless attention.sliding_window is 0: then no layer has a window; 0: windows slide
    float temperature = 0;    // of the layers that do not rotate
};

// Token: an indexer has a key for each token, and attention.indexer.types lists the layers with an indexer. Block: it has a key for
// each block of attention.compress_ratios tokens.
enum class IndexerKind : std::uint8_t { None, Token, Block };

// Frugal: fewer tensors get a type with more bits.
enum class MixVariant : std::uint8_t { Usual, Frugal };

// The layers that the mixes count: those stored, one more, or those stored once for every pass over them.
enum class MixLayerCount : std::uint8_t { Stored, WithRouter, EveryPass };

// What llama-quantize does differently for a family (ggml-org/llama.cpp: src/llama-quant.cpp).
struct MixRules {
    MixVariant variant = MixVariant::Usual;
    MixLayerCount layerCount = MixLayerCount::Stored;
    std::uint64_t largeLayers = 0;   // a model with this number of layers gets more bits for attention values …
    bool largeSharesKeys = false;    // … if several heads share keys
    bool onlyExpertMatrices = false; // MXFP4_MOE is for up, gate and down of experts only, not for other stacked tensors
    std::span<const std::string_view> neverQuantized = {}; // parts of names of tensors that are copied
    std::span<const std::string_view> eightBits = {};      // parts of names of tensors that get Q8_0
};

// White space that tokens swallow: after special tokens, or before the mask.
enum class StripKind : std::uint8_t { None, AfterSpecial, BeforeMask };

struct TokenStripping {
    StripKind kind = StripKind::None;
    std::string_view nameParts[2] = {}; // of general.name in lower case; without any, the architecture decides
    std::string_view mask = "<mask>";
};

// Columns and their meaning (docs/reference/inference.md, "Architectures" and "Rope"; docs/reference/conversion.md, "Recipes"). The
// defaults are those of the plainest model: RMS norms before attention and a gated feed-forward part.
struct Family {
    std::string_view architecture;             // general.architecture
    ModelType modelTypes[6] = {};              // rows without a name are not used
    std::span<const RolePart> parts = {};      // tensor names with another meaning than usual
    std::span<const FolderRules> folders = {}; // empty: not converted
    bool isPartial = false;                    // has only `mix` or `stripping`; hyperparameters are read with the general defaults
    bool isProjector = false;                  // encodes images or sound and has no hyperparameters of a language model

    // The graph.
    NormKind norm = NormKind::Rms;
    NormPlacement placement = NormPlacement::Before;
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
    Activation activation = Activation::Silu;
    bool gated = true;
    bool parallel = false; // attention and feed-forward side by side
    RopeStyle rope = RopeStyle::Halves;
    std::uint8_t windowPeriod = 0;   // the last of every N layers has no window, the others have one
    std::uint8_t ropelessPeriod = 0; // the last of every N layers does not rotate
    bool ropelessFull = false;       // in a model with windows, layers without one do not rotate
    bool sqrtEmbedding = false;      // embeddings are multiplied by the square root of the width
    bool dividesLogits = false;      // logit_scale divides
    float attentionScale = 0;        // 0: 1/sqrt of the key length
    bool tied = false;               // if config.json does not state it
    Gating gating = Gating::Softmax;
    bool normalizesExperts = true;       // weights of the chosen experts sum to 1
    bool normsAfterRope = false;         // queries and keys are normed after they were rotated
    bool attentionGate = false;          // the query projection also yields a gate for each head
    bool valueNorm = false;              // values have a norm without weights
    bool denseBesideExperts = false;     // layers have a dense MLP in addition to the experts
    bool ropeIfFinetuned = false;        // rope.scaling.finetuned = false turns rotation off
    bool plainWindows = false;           // layers with a window rotate without the scaling of the others
    float windowRopeBase = 0;            // of layers with a window, if no key states it; 0: the model's
    std::uint16_t widthScaledLayers = 0; // a model with this number of layers scales scores by 1/sqrt(width / heads)
    bool keepsPredictionLayers = false;  // the converter stores the next-token prediction layers
    bool learnedPositions = false;
    bool tiledHeads = false;           // value head h of the delta rule uses key head h mod n instead of h div (values / n)
    bool sigmoidDeltaGate = false;     // of the results of the delta rule; else SiLU
    bool plainHeadNorms = false;       // rotated queries and keys have a norm without weights afterwards, …
    std::uint16_t normlessExperts = 0; // … unless the model has this number of experts
    bool scalesExpertInputs = false;   // the weights of experts multiply their inputs instead of their results
    std::uint16_t sharedExperts = 0;   // if no key states it
    ChunkRules chunks = {};
    IndexerKind indexer = IndexerKind::None;
    std::uint64_t sharedIndexContext = 0; // with this context and without attention.indexer.types most layers share an indexer

    // How config.json and the keys of GGUF are read.
    std::span<const KeyDefault> keyDefaults = {};
    bool fourfoldFeedForward = false; // the feed-forward part is four times as wide as the model
    bool windowHeadLengths = false;   // head_dim is that of layers with a window, global_head_dim that of the others
    double yarnLogFactor = 1;         // the converter multiplies mscale_all_dim by it
    LayerList layerList = LayerList::Types;
    std::string_view withExperts = {}; // the architecture of models of the same model types that have experts
    GatingOfSize gatingOfSize = {};

    bool runs = false;             // logits of the engine are compared with those of a reference implementation
    bool keepsResidual = false;    // llama.cpp on a GPU has a separate buffer for the residual
    bool projectionBiases = false; // the projections of queries, keys and values have biases
    MixRules mix = {};
    TokenStripping stripping = {};
};

// Every record, in groups.
std::span<const std::span<const Family>* const> familyGroups();
inline auto families() {
    return familyGroups() | std::views::transform([](const auto* group) -> const auto& { return *group; }) | std::views::join;
}

// The record of a general.architecture, or null.
const Family* findFamily(std::string_view architecture);

// The record whose GGUF name or model type is the longest beginning of `name`, a GGUF name, model type or class: "gpt-oss",
// "gpt_oss" and "GptOssForCausalLM" are the same. Null if none is.
const Family* findFamilyOfAnyName(std::string_view name);

// The family of some folders and the rules of their class.
struct FolderFamily {
    const Family* family = nullptr;
    const FolderRules* rules = nullptr;

    explicit operator bool() const { return rules != nullptr; }
};

// By a class of config.json's "architectures"; false if it is not converted. Of several families with this class the one of
// `architecture`, a GGUF name, else the first.
FolderFamily findFolderFamily(std::string_view modelClass, std::string_view architecture = {});

// Every class that is converted, in the order of the records.
std::vector<std::string_view> folderClasses();

// The row of a "model_type" and its family; both null if it is not known.
struct FoundModelType {
    const Family* family = nullptr;
    const ModelType* type = nullptr;
};
FoundModelType findModelType(std::string_view name);

// The architecture for a model that is described by its sizes alone.
extern const std::string_view plainArchitecture;

} // namespace wb::arch
