// SPDX-License-Identifier: MIT
// Words of one position of a head in the cache.
#ifndef WB_INFER_CACHE_GLSL
#define WB_INFER_CACHE_GLSL
#include "infer/batch.h"

uint codeWords(uint length) { return (length + 3) / 4; }

uint positionWords(uint type, uint length) {
    if (type == WB_CACHE_F32) return length;
    if (type == WB_CACHE_Q8_0) return codeWords(length) + (length + WB_CACHE_GROUP - 1) / WB_CACHE_GROUP;
    return length / 2;
}

#endif
