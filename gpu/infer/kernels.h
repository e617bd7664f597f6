// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "gpu/device/recorder.h"
#include "gpu/infer/device_weights.h"

// The shaders of gpu/shaders/infer, as steps of a recording. Rows of activations lie one after the other, one a token; the buffer
// `batch` holds the words of batch.h, and rows beyond the batch's tokens are left alone.
namespace wb::gpu {

struct StepSizes {
    View batch;
    std::uint32_t tokens = 1; // that a recording is made for; 1, or a multiple of WB_MAX_COLUMNS
    bool ofOutputs = false;   // only the last tokens of the batch, whose logits are wanted
};

// Rows as matrices take them.
struct Prepared {
    View floats; // [tokens][columns]
    View codes;  // [tokens][columns / 32] records of batch.h
};

struct PrepareStep {
    View rows;                  // [tokens of the batch][columns]
    const View* norm = nullptr; // weights of a norm; null: none
    float epsilon = 0;
    std::uint32_t columns = 0;
    bool floats = false, codes = false; // the requested result
};
Result<void> prepare(Device& device, Recorder& recorder, const StepSizes& sizes, const PrepareStep& step, const Prepared& to);

// result[token * matrix.rows + row], as the epilogue (WB_STORE …) says.
struct MultiplyStep {
    const DeviceMatrix* matrix = nullptr;
    std::uint32_t epilogue = 0;
    float scale = 1; // of WB_ADD
};
Result<void> multiply(Device& device, Recorder& recorder, const StepSizes& sizes, const MultiplyStep& step, const Prepared& from,
                      const View& result);

// Rotates heads; into the cache, or into rows of the same shape.
struct RotateStep {
    View rows, angles;
    std::uint32_t heads = 0;                       // of the step …
    std::uint32_t firstHead = 0;                   // … among those of a row
    std::uint32_t stride = 0;                      // of a row
    std::uint32_t length = 0;                      // of a head
    std::uint32_t pairs = 0;                       // that are rotated
    bool halves = false;                           // pairs are (j, j + pairs)
    bool stores = false;                           // into the cache
    std::uint32_t context = 0;                     // positions of the cache
    infer::CacheType type = infer::CacheType::F16; // of the cache
};
Result<void> rotate(Device& device, Recorder& recorder, const StepSizes& sizes, const RotateStep& step, const View& to);

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
    float scale = 1;
};
Result<void> attend(Device& device, Recorder& recorder, const StepSizes& sizes, const AttendStep& step, const View& to);

} // namespace wb::gpu
