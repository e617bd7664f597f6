// SPDX-License-Identifier: MIT
// What the shaders of gpu/infer and their host agree on. Read by both compilers.
#ifndef WB_INFER_BATCH_H
#define WB_INFER_BATCH_H

// Words of the buffer that a recording reads again at each replay.
#define WB_BATCH_POSITION 0 // of the first token
#define WB_BATCH_TOKENS 1
#define WB_BATCH_OUTPUTS 2 // tokens whose logits are wanted: the last ones
#define WB_BATCH_WORDS 4

// What becomes of a row of a product.
#define WB_STORE 0 // out = product
#define WB_ADD 1   // out += scale * product
#define WB_GATE 2  // out = silu(out) * product

#define WB_LANES 64          // invocations of a workgroup
#define WB_ROW_LANES 16      // of them, those that share a row of a matrix
#define WB_ROWS_AT_ONCE 4    // WB_LANES / WB_ROW_LANES
#define WB_MAX_COLUMNS 8     // tokens that share a reading of the weights
#define WB_RECORD_COLUMNS 32 // activations that share a scale
#define WB_RECORD_WORDS 12   // a record of core/infer/cpu/activations.h for one token
#define WB_MAX_HEAD_LENGTH 256

// How keys and values are in the cache: infer::CacheType. A position of a head has in F16 two numbers a word, in F32 one; in
// Q8_0 four codes a word, and behind all of them a word for each group with its f16 scale.
#define WB_CACHE_F16 0
#define WB_CACHE_F32 1
#define WB_CACHE_Q8_0 2
#define WB_CACHE_GROUP 32

#endif
