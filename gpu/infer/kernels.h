// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/activation.h"
#include "core/infer/engine_options.h"
#include "gpu/device/recorder.h"
#include "gpu/infer/device_weights.h"
#include "gpu/infer/fast_types.h"
#include "gpu/shaders/infer/batch.h"

// The shaders of gpu/shaders/infer, as steps of a recording. Rows of activations lie one after the other, one a token; the buffer
// `batch` holds the words of batch.h, and rows beyond the batch's tokens are left alone.
namespace wb::gpu {

struct StepSizes {
    View batch;
    std::uint32_t tokens = 1; // that a recording is made for; 1, or a multiple of WB_MAX_COLUMNS
    bool ofOutputs = false;   // only the last tokens of the batch, whose logits are wanted
};

// Runs of numbers in rows: that of token t and run r starts at t * stride + first + r * runStride.
struct RowPlace {
    std::uint32_t stride = 0; // 0: the runs of a token fill a row
    std::uint32_t first = 0;
    std::uint32_t runStride = 0; // 0: the length of a run
};

// The place with every number set.
RowPlace resolvePlace(RowPlace place, std::uint32_t runs, std::uint32_t length);

// A buffer that a shader does not look at must be bound too.
inline const View& viewOr(const View* view, const View& other) { return view ? *view : other; }

// The numbers of batch.h.
std::uint32_t specializationConstant(infer::CacheType type);
inline std::uint32_t specializationConstant(infer::NormKind kind) { return static_cast<std::uint32_t>(kind); }

// Rows as matrices take them.
struct Prepared {
    View floats; // [tokens][columns]
    View codes;  // [tokens][columns / 32] records of batch.h
};

// A norm with its weights; null where it has none.
struct DeviceNorm {
    infer::NormKind kind = infer::NormKind::None;
    const View *weight = nullptr, *bias = nullptr;
    float epsilon = 0;
};

struct PrepareStep {
    View rows; // [tokens of the batch][rowsOfToken][columns], or at their place
    DeviceNorm norm;
    std::uint32_t columns = 0;
    std::uint32_t rowsOfToken = 1;
    bool floats = false, codes = false; // the requested result
    RowPlace place = {};
    const View* gates = nullptr; // as `rows`, which have no norm then: the result is act(gate) * row; null: none
    infer::Activation activation = infer::Activation::Silu;
};
Result<void> prepare(Device& device, Recorder& recorder, const StepSizes& sizes, const PrepareStep& step, const Prepared& to);

// Norms runs of `count` numbers, of which a row has `runs`: in place, into other rows, or rows that are added to x.
struct NormStep {
    View rows;
    DeviceNorm norm;
    std::uint32_t runs = 1, count = 0;
    const View* x = nullptr;       // x += scale * factor of the token * norm(row); null: in place
    const View* factors = nullptr; // [tokens] of the result; null: ones
    float scale = 1;               // of the added row
    const View* to = nullptr;      // the result; null: as above
    std::uint32_t toStride = 0;    // of `to`; 0: runs * count
    RowPlace place = {};           // of `rows`
    bool ownWeights = false;       // the weights are [runs][count]
};
Result<void> normRows(Device& device, Recorder& recorder, const StepSizes& sizes, const NormStep& step);

// Rotates heads; into the cache, or into other rows.
struct RotateStep {
    View rows, angles;
    std::uint32_t heads = 0;                       // of the step …
    std::uint32_t firstHead = 0;                   // … among those of a row
    std::uint32_t stride = 0;                      // from one token's row to the next one's
    std::uint32_t length = 0;                      // of a head
    std::uint32_t pairs = 0;                       // that are rotated
    bool halves = false;                           // pairs are (j, j + pairs)
    bool stores = false;                           // into the cache
    std::uint32_t context = 0;                     // positions of the cache
    infer::CacheType type = infer::CacheType::F16; // of the cache
    const View* factors = nullptr;                 // [tokens] of the result, if it is not stored; null: ones
    std::uint32_t first = 0;                       // of the heads in a row
    std::uint32_t headStride = 0;                  // from one head to the next; 0: length
    std::uint32_t begin = 0;                       // element of a head from which on it is rotated
    RowPlace to = {};                              // of the result, if it is not stored

    infer::CacheType cacheType() const { return stores ? type : infer::CacheType::F32; } // of the result
};
Result<void> rotate(Device& device, Recorder& recorder, const StepSizes& sizes, const RotateStep& step, const View& to);

// Which columns the matrices of experts are multiplied by.
struct ExpertColumns {
    std::uint32_t inputs = 0; // WB_EXPERTS_…
    View schedule;            // of route()
    std::uint32_t used = 1;   // experts of a token
};

// Storage buffers that a product with a follow-up binds; devices with fewer run separate steps.
inline constexpr std::uint32_t followBindings = 15;

// A small step after a product of one token, done by the workgroup that finishes last of those that multiply the same unit of rows:
// the next step does not wait for it apart. Norms the unit, then makes input of it, or rotates it as a head; or adds all rows to x
// first, and makes input of that.
struct FollowUp {
    std::uint32_t unit = 0; // rows: all of the matrix, a head or some records; the matrix has a whole number of units
    DeviceNorm norm;
    bool floats = false, codes = false; // the requested input
    Prepared to;                        // not what the product reads
    const RotateStep* head = nullptr;   // null: input is made
    View rotated;                       // of the head: other rows, or the cache
    const NormStep* added = nullptr;    // of all rows, to its x, with weights of the same kind of norm, without a bias; null: not
    View counters;                      // of each unit, zero before and after
};

// result[token * outStride + outFirst + row], or the same of pairs, as the epilogue (WB_STORE …) says.
struct MultiplyStep {
    const DeviceMatrix* matrix = nullptr;
    std::uint32_t epilogue = 0;
    float scale = 1; // of all but WB_GATE and WB_TIMES
    float cap = 0;   // of WB_STORE; 0: none
    infer::Activation activation = infer::Activation::Silu;
    const View* factors = nullptr; // [tokens] of WB_ADD; [tokens][factorStride], of which factorAt is the first, of WB_TIMES; of
                                   // others one for each factorOf tokens or pairs, by which the product is multiplied first
    std::uint32_t factorStride = 0, factorAt = 0, factorOf = 1;
    std::uint32_t outStride = 0, outFirst = 0; // outStride 0: the rows of the matrix
    std::uint32_t tokenStride = 0; // of WB_EXPERTS_ALL, where outStride goes from one matrix to the next; 0: all of them
    ExpertColumns experts = {};
    const FastTypes* fast = nullptr; // null: only exact kernels
    bool paired = false; // two matrices are one after the other in `matrix`, of which it has the numbers of one, without biases:
                         // act(product of the first) * product of the second; of one token
    const FollowUp* then = nullptr; // null: none
};
// Whether a product may have a follow-up or be paired.
bool canFollow(const Device& device, const StepSizes& sizes, const MultiplyStep& step);
Result<void> multiply(Device& device, Recorder& recorder, const StepSizes& sizes, const MultiplyStep& step, const Prepared& from,
                      const View& result);

// Words of a schedule (batch.h) for a batch, and the groups it has at most.
std::uint64_t scheduleGroups(std::uint64_t tokens, std::uint64_t experts, std::uint64_t used);
std::uint64_t scheduleWords(std::uint64_t tokens, std::uint64_t experts, std::uint64_t used);

// The experts of each token: their numbers and weights [tokens][used], the gate of the shared expert [tokens], and the schedule.
struct Routed {
    View chosen, weights, gates, schedule;
};
struct RouteStep {
    View logits;                                          // [tokens][experts]
    View rows;                                            // [tokens][width], normed; for the gate
    const View *selectionBias = nullptr, *gate = nullptr; // null: none
    std::uint32_t experts = 0, used = 0, width = 0;
    arch::Gating gating = arch::Gating::Softmax;
    bool normalizes = false;
    std::uint32_t groups = 1, groupsUsed = 1;
    float scale = 1;
    const View* expertScale = nullptr; // [experts]; null: ones
};
Result<void> route(Device& device, Recorder& recorder, const StepSizes& sizes, const RouteStep& step, const Routed& to);

// x += scale * Σ weight * row over the experts of each token; rows: [tokens][used][width].
struct CombineStep {
    View rows, weights;
    std::uint32_t width = 0, used = 0;
    float scale = 1;
    bool weighted = true; // else without the weights
};
Result<void> combine(Device& device, Recorder& recorder, const StepSizes& sizes, const CombineStep& step, const View& x);

// row = (row + scale * other) * factor
struct BlendStep {
    View rows; // [tokens][columns]
    std::uint32_t columns = 0;
    const View* other = nullptr; // [tokens][otherStride], from otherFirst on; null: nothing is added
    float scale = 1, factor = 1;
    const View* storedFactor = nullptr;            // one number instead of `factor`
    std::uint32_t otherStride = 0, otherFirst = 0; // otherStride 0: columns
};
Result<void> blend(Device& device, Recorder& recorder, const StepSizes& sizes, const BlendStep& step);

struct AttendStep {
    View queries, keys, values;
    View scores; // space for `context` floats of each of the step's heads, for as many tokens as are dealt with at a time
    infer::CacheType keyType = infer::CacheType::F16, valueType = infer::CacheType::F16;
    std::uint32_t heads = 0;     // of queries, in a row
    std::uint32_t firstHead = 0; // of the step, which has `count` of them
    std::uint32_t count = 0;
    std::uint32_t group = 1; // heads that share one of keys
    std::uint32_t keyLength = 0, valueLength = 0;
    std::uint32_t context = 0;
    std::uint32_t window = 0;
    bool chunked = false; // the window is the length of a chunk
    float scale = 1;
    float cap = 0;                        // of the scores; 0: none
    const View* sinks = nullptr;          // [heads]; null: none
    const View* selected = nullptr;       // [tokens][selectedStride] positions that are seen; null: all
    const View* selectedCounts = nullptr; // [tokens]; 0: all
    std::uint32_t selectedStride = 0;
    const View* codes = nullptr; // the result as Prepared::codes, too, where canEncodeHeads(); null: not
};
inline bool canEncodeHeads(std::uint64_t valueLength) { return valueLength % WB_RECORD_COLUMNS == 0; }
Result<void> attend(Device& device, Recorder& recorder, const StepSizes& sizes, const AttendStep& step, const View& to);

// The same for one token, split over the context and added in another order. Of a step: its rows have to be multiples of 8 numbers,
// and nothing is selected.
struct FastAttention {
    View parts;    // attentionParts() floats of each head
    View counters; // of each head, zero before and after
};
constexpr std::uint64_t attentionParts(std::uint64_t valueLength) { return WB_SPLITS * (valueLength + 2); }
bool canAttendFast(const StepSizes& sizes, const AttendStep& step);
Result<void> attendFast(Device& device, Recorder& recorder, const StepSizes& sizes, const AttendStep& step,
                        const FastAttention& room, const View& to);

} // namespace wb::gpu
