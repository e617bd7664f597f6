// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/infer/graph/activation.h"
#include "core/infer/graph/index_operations.h"
#include "core/infer/graph/operation_parts.h"
#include "core/infer/graph/stream_operations.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

// The operations of a transformer with all their numbers. planGraph() (graph.h) lowers a model to them; engines read nothing else
// of it, and an engine supports a model when it has every operation in its table.
//
// Every operation works on rows of f32, one a token. Named rows live from one operation to the next:
//   x         [width]                          the residual stream; with several of them the input of a block
//   sum       [width]                          zeros, to which parts of a layer are added instead of to x, until AddSumOp or
//                                              InjectOp takes them
//   q, k, v   [heads or kvHeads][head length]  of one layer, from QkvOp to AttendOp
//   mixed     [numbers]                        of one layer: from ProjectOp to ConvOp, DeltaNetOp, StateSpaceOp, GateOp and
//                                              ResidualOp, or the gates of QkvOp
//   attended  [heads][valueLength]             from AttendOp, DeltaNetOp or StateSpaceOp to GateOp and ResidualOp
//   hidden    [inner]                          from GateUpOp or LayerInputOp to ResidualOp
//   chosen    [used] experts and their weights from RouteOp to ExpertsOp
//   inputs    [layers][each]                   from LayerInputsOp to LayerInputOp
// and those of stream_operations.h and index_operations.h.
// Matrices are [rows][columns] as in the file; y = W x takes `columns` numbers and gives `rows`. Operations with a `state` (into
// Graph::states) are recurrent: they read and write numbers that stand for all earlier tokens, zeros before the first one.
namespace wb::infer {

// One kind of rotation. Pair j of position p turns by p * frequency(j), see ropeTable() in rope.h.
struct RopeOp {
    std::uint64_t dimensions = 0;      // rotated elements of a head, even
    bool halves = true;                // pairs are (j, j + dimensions/2); else (2j, 2j + 1)
    double base = 10000;               // frequency(j) = stretch * base^(-2j/dimensions) / divisor(j)
    double stretch = 1;                // below 1 where positions are interpolated
    bool yarn = false;                 // the first pairs keep their frequency; `stretch` starts between yarnLow and yarnHigh
    double yarnLow = 0, yarnHigh = 0;  // pairs
    float magnitude = 1;               // multiplies cosines and sines
    Slice divisors;                    // [dimensions/2]; empty: ones
    Slice longDivisors, shortDivisors; // LongRoPE: instead of `divisors`, beyond and within originalContext
    std::uint64_t originalContext = 0; // tokens

    friend bool operator==(const RopeOp&, const RopeOp&) = default;
};

// Queries *= 1 + scale * ln(1 + floor((position + offset) / context)); scale 0: not.
struct Temperature {
    float scale = 0;
    std::uint64_t context = 0, offset = 0;

    // Of the queries of a token.
    float factor(std::uint64_t position) const {
        if (scale == 0) return 1;
        return std::log(static_cast<float>((position + offset) / context + 1)) * scale + 1;
    }

    friend bool operator==(const Temperature&, const Temperature&) = default;
};

// The heads of one attention layer.
struct HeadShape {
    std::uint64_t heads = 0;   // of queries; a multiple of kvHeads
    std::uint64_t kvHeads = 0; // of keys and values
    std::uint64_t keyLength = 0, valueLength = 0;

    friend bool operator==(const HeadShape&, const HeadShape&) = default;
};

// x = embedding[token] * scale + positions[position].
struct EmbedOp {
    Slice table;     // [vocabulary][width]
    Slice positions; // [context][width]; empty: none
    float scale = 1;
};

// x = W [tokenNorm(x); precedingNorm(p)] + b, where x is the embedding of a token and p is what the model gave for the token before
// it: x after the last norm (Batch::preceding). The beginning of a head that predicts the token after the next one.
struct JoinOp {
    NormOp tokenNorm, precedingNorm;
    Linear linear; // [width][2 * width]
};

// For every layer l: inputs[l] = (norm(projectionScale * (W x)[l]) + tableScale * table[token][l]) * sumScale (Gemma 4).
struct LayerInputsOp {
    std::uint64_t each = 0; // numbers of one layer
    Slice table;            // [vocabulary][layers * each]
    Slice projection;       // [layers * each][width]
    NormOp norm;            // of `each` numbers
    float projectionScale = 1, tableScale = 1, sumScale = 1;
};

// q, k, v = W norm(x) + b. Then queries and keys are normed and rotated, values are normed, and keys and values are stored.
struct QkvOp {
    NormOp norm;
    Linear q;    // [heads * keyLength][width]; with `gates` [heads][queries, then gates][keyLength][width]
    Linear k, v; // [kvHeads * keyLength][width], [kvHeads * valueLength][width]; empty: AttendOp reads the cache of another layer
    HeadShape shape;
    NormOp qNorm, kNorm;               // of each head, or of all heads together
    bool normsWhole = false;           // … together; not with `gates`
    bool normsAfterRope = false;       // queries and keys are normed after they were rotated
    bool gates = false;                // q also yields a gate for each query, which stays in `mixed`: see GateOp
    NormOp vNorm;                      // of each head
    std::optional<std::uint32_t> rope; // into Graph::ropes; empty: positions are not rotated
    Temperature temperature;
    std::uint32_t cache = 0; // into Graph::caches; not used where k is empty
};

// For each head: attended = Σ softmax(softcap(scale * q · k)) * v over the positions it sees.
struct AttendOp {
    HeadShape shape;
    std::uint32_t cache = 0; // into Graph::caches
    float scale = 1;
    float softcap = 0;        // cap * tanh(score / cap); 0: none
    std::uint64_t window = 0; // positions it looks back, its own included; 0: all
    bool chunked = false;     // `window` is the length of a chunk, and it looks back to the beginning of its position's own
    Slice sinks;              // [heads]: one more score for each head, whose value is 0; empty: none
    bool selects = false;     // it sees only what the last IndexOp selected; not with a window
};

// Queries and keys of multi-head latent attention (arXiv 2405.04434), whose scores are computed in the space of the compressed
// keys:
//   q = Wq norm(x), or Wq norm(Wa norm(x)); k = Wk norm(x). A head of q has `plain` numbers and then those that are rotated.
//   query of head h = [absorb_h q_h's plain numbers; rotate(q_h's others)]
//   key = [keyNorm(k's first valueLength numbers); rotate(k's others)], value = the first valueLength numbers of the key
struct LatentQkvOp {
    NormOp norm;
    Linear compress;     // Wa [rank of queries][width]; empty: none
    NormOp compressNorm; // [rank of queries]
    Linear q;            // Wq [heads * (plain + rotated)][width, or rank of queries]
    Linear k;            // Wk [keyLength][width]
    NormOp keyNorm;      // [valueLength]
    Slice absorb;        // [heads * valueLength][plain], head by head
    HeadShape shape;     // one head of keys: valueLength + rotated numbers
    std::uint64_t plain = 0;
    std::optional<std::uint32_t> rope; // into Graph::ropes; empty: positions are not rotated
    Temperature temperature;
    std::uint32_t cache = 0; // into Graph::caches
};

// mixed[h] = W_h attended[h] for each head.
struct HeadwiseOp {
    Slice weight; // [heads * rows][columns], head by head
    std::uint64_t heads = 0;

    std::uint64_t rows() const { return weight.count / heads; }
    Slice ofHead(std::uint64_t head) const { return {weight.tensor, weight.first + head * rows(), rows()}; }
};

// mixed = W norm(x) + b of each matrix, one after the other; or W y + b of numbers y that are in `mixed` already.
struct ProjectOp {
    static constexpr std::size_t maxMatrices = 6;

    NormOp norm;
    std::array<Linear, maxMatrices> matrices; // [rows][width], or [rows][numbers of y]; the first ones are set
    std::optional<std::uint64_t> from;        // where y starts in `mixed`; empty: norm(x)
    std::uint64_t first = 0;                  // where the results start in `mixed`, beside y

    std::uint64_t numbers() const {
        std::uint64_t sum = 0;
        for (const Linear& matrix : matrices) sum += matrix.weight.count;
        return sum;
    }
};

// The causal convolution of each of the channels [first, first + channels) of `mixed`, in place:
// mixed[c] = act(Σ_j kernel[c][j] * (mixed[c] of the token dilation * (width - 1 - j) tokens ago) + bias[c]). Where there are
// gates, as many other channels of `mixed` multiply the inputs, and others the results.
struct ConvOp {
    static constexpr std::uint64_t maxWidth = 16;

    std::uint64_t first = 0, channels = 0;
    std::uint64_t width = 0; // tokens that it sees, the present one included
    std::uint64_t dilation = 1;
    Slice kernel; // [channels][width], as channels * width elements
    Slice bias;   // [channels]; empty: none
    std::optional<Activation> activation;
    std::optional<std::uint64_t> inputGates, outputGates; // where they start in `mixed`
    std::uint32_t state = 0; // [dilation][width - 1][channels]: of each position mod dilation the last inputs, the oldest first
};

// Where the numbers of heads are in a row: that of head h at first + h / group * stride + h % group.
struct HeadNumbers {
    std::uint64_t first = 0, group = 1, stride = 1;

    std::uint64_t of(std::uint64_t head) const { return first + head / group * stride + head % group; }
};

// The gated delta rule (arXiv 2412.06464). Each value head h has a matrix S, and the key head `keyHead(h)`, whose query and key
// are scaled to length 1 (x / sqrt(Σx² + epsilon)), the query then by 1/sqrt(keyLength):
//   S *= e^(decay[h] * ln(1 + e^(alpha[h] + stepBias[h])))
//   S += sigmoid(beta[h]) * (v - S k) kᵀ
//   attended[h] = S q
// With decays of channels (Kimi delta attention, arXiv 2510.26692) column i of S has its own alpha[h][i] and stepBias[h][i].
struct DeltaNetOp {
    std::uint64_t keyHeads = 0, valueHeads = 0; // values: a multiple of keys
    std::uint64_t keyLength = 0, valueLength = 0;
    bool tiled = false;                              // neighboring value heads have different key heads
    std::uint64_t queries = 0, keys = 0, values = 0; // where they start in `mixed`
    HeadNumbers alpha, beta;                         // in `mixed`; with channelDecays the first alpha of each head
    Slice decay;                                     // [valueHeads], negative
    Slice stepBias;                                  // [valueHeads], or [valueHeads][keyLength]
    bool channelDecays = false;
    float epsilon = 0;
    std::uint32_t state = 0; // S: [valueHeads][valueLength][keyLength]

    std::uint64_t keyHead(std::uint64_t head) const { return tiled ? head % keyHeads : head / (valueHeads / keyHeads); }
};

// The selective state space of Mamba-2 (arXiv 2405.21060). Each head h has a matrix S and values v, and shares with the other
// heads of its group the inputs b and outputs c:
//   step = ln(1 + e^(steps[h] + stepBias[h]))
//   S = e^(decay[h] * step) * S + step * v bᵀ
//   attended[h] = S c + skip[h] * v
struct StateSpaceOp {
    std::uint64_t heads = 0, groups = 0;                          // heads: a multiple of groups; neighbors are in the same one
    std::uint64_t valueLength = 0;                                // of a head
    std::uint64_t stateLength = 0;                                // of b and c
    std::uint64_t values = 0, inputs = 0, outputs = 0, steps = 0; // where v, b, c and steps start in `mixed`
    Slice decay;                                                  // [heads], negative
    Slice stepBias, skip;                                         // [heads]
    std::uint32_t state = 0;                                      // S: [heads][valueLength][stateLength]

    std::uint64_t group(std::uint64_t head) const { return head / (heads / groups); }
};

enum class GateKind : std::uint8_t { Sigmoid, Silu };

// attended[h] = norm(attended[h]) * act(gate[h]) for each head, whose gates are in `mixed` from first + h * stride on; or
// norm(attended[h] * act(gate[h])).
struct GateOp {
    NormOp norm; // [length], or with ownWeights [heads][length]
    GateKind kind = GateKind::Sigmoid;
    std::uint64_t heads = 0, length = 0;
    std::uint64_t first = 0, stride = 0;
    bool ownWeights = false;
    bool gatesFirst = false; // the norm is that of the product
};

enum class RowInput : std::uint8_t { Attended, Hidden, Mixed };

enum class RowTarget : std::uint8_t { X, Sum };

// x, or sum, += scale * norm(W input + b).
struct ResidualOp {
    RowInput input = RowInput::Attended;
    RowTarget target = RowTarget::X;
    Linear linear; // [width][columns of the input]
    NormOp norm;
    float scale = 1;
    bool sharedGate = false; // times the shared expert's gate, which RouteOp computed
    std::uint64_t first = 0; // where the input starts in its row
};

// hidden = act(W_gate norm(x) + b) * (W_up norm(x) + b), or act(W_up norm(x) + b) without a gate. ClampedSwiglu clamps both.
struct GateUpOp {
    NormOp norm;
    Linear gate, up; // [inner][width]; an empty gate: none
    Activation activation = Activation::Silu;
};

// logits = logitScale * (W norm(x) + b); probabilities by `gating`; the `used` experts with the largest probability +
// selectionBias; their weights are the probabilities, normalized to a sum of 1 if `normalizes`, times `scale` and the expert's own
// scale. Gate of the shared expert: sigmoid(sharedGate · norm(x)).
struct RouteOp {
    NormOp norm;
    Linear router;       // [experts][width]
    Slice selectionBias; // [experts]; empty: none
    Slice sharedGate;    // [width]; empty: none
    std::uint64_t experts = 0, used = 0;
    arch::Gating gating = arch::Gating::Softmax;
    std::uint64_t groups = 1, groupsUsed = 1; // experts are chosen from the groups whose two best ones are best together
    bool normalizes = false;
    float scale = 1;
    float logitScale = 1;
    Slice expertScale; // [experts]; empty: ones
};

// x, or sum, += scale * outNorm(Σ weight * (W_down act(W_gate norm(x) + b) * (W_up norm(x) + b) + b)) over the chosen experts, or
// without a gate as in GateUpOp.
struct ExpertsOp {
    RowTarget target = RowTarget::X;
    NormOp norm, outNorm;
    std::uint64_t experts = 0, used = 0, inner = 0;
    Slice gate, up;           // [inner][width] of expert 0; those of expert e start e * stride rows later; gate may be empty
    std::uint64_t stride = 0; // rows
    Slice down;               // [width][inner] of expert 0; those of expert e start e * width rows later
    Slice gateBias, upBias, downBias; // [experts][inner], [experts][inner], [experts][width]; empty: none
    Activation activation = Activation::Silu;
    float scale = 1;
    bool scalesInputs = false; // a weight multiplies norm(x) of its expert instead of the result
};

// x += scale * norm(sum).
struct AddSumOp {
    NormOp norm;
    float scale = 1;
};

// hidden = act(W x) * inputs[layer] (Gemma 4).
struct LayerInputOp {
    Slice gate; // [each][width]
    std::uint64_t layer = 0;
    Activation activation = Activation::GeluTanh;
};

// x *= the one number of `factor`.
struct ScaleOp {
    Slice factor; // [1]
};

// logits = softcap(scale * (W norm(x) + b)).
struct HeadOp {
    std::optional<MixStreamsOp> mix; // gives x first
    NormOp norm;
    Linear output; // [vocabulary][width]
    float scale = 1;
    float softcap = 0; // 0: none
};

// The operations of a layer.
using LayerOp = std::variant<QkvOp, AttendOp, LatentQkvOp, HeadwiseOp, ProjectOp, ConvOp, DeltaNetOp, StateSpaceOp, GateOp,
                             ResidualOp, GateUpOp, RouteOp, ExpertsOp, LayerInputOp, ScaleOp, AddSumOp, IndexOp, MixStreamsOp,
                             InjectOp, NgramOp, AddNgramsOp>;

// Keys and values that one QkvOp stores and AttendOps of this layer and of later ones read, or the keys of an IndexOp.
struct CacheShape {
    HeadShape heads;
    std::uint64_t window = 0; // the widest of its readers, positions; 0: a reader sees all
    std::uint64_t block = 1;  // positions of one key
};

// What one recurrent operation remembers of all earlier tokens: numbers of f32.
struct StateShape {
    std::uint64_t rows = 0, columns = 0;
};

} // namespace wb::infer
