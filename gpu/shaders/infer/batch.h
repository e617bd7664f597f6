// SPDX-License-Identifier: MIT
// What the shaders of gpu/infer and their host agree on. Read by both compilers.
#ifndef WB_INFER_BATCH_H
#define WB_INFER_BATCH_H

// Words of the buffer that a recording reads again at each replay.
#define WB_BATCH_POSITION 0 // of the first token
#define WB_BATCH_TOKENS 1
#define WB_BATCH_OUTPUTS 2 // tokens whose logits are wanted: the last ones
// How the device draws the token itself from the highest logits of the one before (core/text/draw.h); the others are f32.
#define WB_BATCH_CANDIDATES 3
#define WB_BATCH_TEMPERATURE 4
#define WB_BATCH_TOP_P 5
#define WB_BATCH_MIN_P 6
#define WB_BATCH_UNIT 7
#define WB_BATCH_WORDS 8

// What becomes of a row of a product, which has its bias.
#define WB_STORE 0    // out = softcap(scale * product), or softcap(scale * factor of the token or pair * product)
#define WB_ADD 1      // out += scale * product, or scale * factor of the token * product
#define WB_GATE 2     // out = act(out) * product
#define WB_ACTIVATE 3 // out = act(scale * product)
#define WB_TIMES 4    // out = act(product) * factor of the token and row
#define WB_INJECT 5   // out = 2 sigmoid(scale * product)

// The step after a product that the workgroup which finishes last does with rows that belong together (follow_up.glsl).
#define WB_FOLLOW_NONE 0
#define WB_FOLLOW_INPUT 1 // norms them, and makes of them what the next matrices take
#define WB_FOLLOW_HEAD 2  // norms and rotates them

// infer::Activation
#define WB_SILU 0
#define WB_GELU_TANH 1
#define WB_GELU_ERF 2
#define WB_RELU 3
#define WB_RELU_SQUARED 4
#define WB_CLAMPED_SWIGLU 5

// What becomes of the result of a norm.
#define WB_IN_PLACE 0
#define WB_ADDED 1   // to another row
#define WB_WRITTEN 2 // into another row

// The type of weights that became codes of 8 bits with a scale and a minimum for each 16 columns, whatever their type in the file;
// where 32 columns have one scale and no minimum, their products are one sum, as on the CPU.
#define WB_CODED 255
#define WB_CODED_WHOLE 254

// infer::NormKind
#define WB_NORM_NONE 0
#define WB_NORM_RMS 1
#define WB_NORM_LAYER 2

// arch::Gating
#define WB_GATING_SOFTMAX 1
#define WB_GATING_SIGMOID 2
#define WB_GATING_SOFTMAX_OF_CHOSEN 3

// Experts. A token and one of its experts are a pair, whose number is token * used + place among the chosen. The schedule of a
// batch tells the matrices of experts what to multiply: word 0 is the number of groups, and each group has the number of its expert
// and, for as many columns as are multiplied at once, a pair or WB_NO_PAIR.
#define WB_MAX_EXPERTS 1024
#define WB_MAX_USED 64
#define WB_NO_PAIR 0xFFFFFFFFu
#define WB_EXPERTS_NONE 0
#define WB_EXPERTS_OF_TOKENS 1 // a pair's input is the row of its token
#define WB_EXPERTS_OF_PAIRS 2  // … is its own row
#define WB_EXPERTS_ALL 3       // each token has one row for each matrix; without a schedule

#define WB_LANES 64            // invocations of a workgroup
#define WB_ROW_LANES 16        // of them, those that share a row of a matrix
#define WB_ROWS_AT_ONCE 4      // WB_LANES / WB_ROW_LANES
#define WB_MAX_COLUMNS 8       // tokens that share a reading of the weights
#define WB_RECORD_COLUMNS 32   // activations that share a scale
#define WB_RECORD_WORDS 12     // a record of core/infer/cpu/kernels/activations.h for one token
#define WB_MAX_HEAD_LENGTH 512 // of values
#define WB_MAX_KEY_LENGTH 1024
#define WB_MAX_TAPS 16 // infer::ConvOp::maxWidth
#define WB_NO_PLACE 0xFFFFFFFFu
#define WB_RANK_RUN 3072  // logits that a workgroup ranks
#define WB_MAX_RANKED 256 // logits that are ranked on the device at most
#define WB_NO_TOKEN 0xFFFFFFFFu
#define WB_FAST_ROWS 2 // that a subgroup multiplies at once in the fast kernels

// Fast attention of one token.
#define WB_SPLITS 64     // of the context at most
#define WB_SPLIT_TILES 2 // of WB_LANES positions: the shortest split
#define WB_FAST_HEADS 4  // of queries that a workgroup deals with at most

// How keys and values are in the cache: infer::CacheType. A position of a head has in F16 two numbers a word, in F32 one; in
// Q8_0 four codes a word, and behind all of them a word for each group with its f16 scale.
#define WB_CACHE_F16 0
#define WB_CACHE_F32 1
#define WB_CACHE_Q8_0 2
#define WB_CACHE_GROUP 32

#endif
