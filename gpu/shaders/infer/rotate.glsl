// SPDX-License-Identifier: MIT
// A head rotated by the angles of its position (docs/reference/inference.md, "Rope"), as f32 or as a position of the cache. Twins:
// rotate and toF16 of core/infer/cpu/kernels/kernels.h, encodeGroup of core/infer/cpu/kv_cache.cpp. The includer defines HALVES,
// whether pairs are (j, j + pairs) instead of (2j, 2j + 1), CACHE, the numbers, the angles and the words.
#ifndef WB_INFER_ROTATE_GLSL
#define WB_INFER_ROTATE_GLSL
#include "exact.glsl"
#include "infer/cache.glsl"
#include "infer/half.glsl"

float headNumber(uint element);
float angleAt(uint index); // of the token: the cosines, then the sines
void putWord(uint at, uint word);

struct Turn {
    uint begin; // element from which on the head is rotated, even
    uint pairs; // that are rotated; 0: none
};

float rotated(Turn turn, uint at) {
    float own = headNumber(at);
    if (at < turn.begin || at - turn.begin >= 2 * turn.pairs) return own;
    uint element = at - turn.begin;
    uint j = HALVES ? element % turn.pairs : element / 2;
    bool second = HALVES ? element >= turn.pairs : element % 2 == 1;
    uint other = HALVES ? (second ? element - turn.pairs : element + turn.pairs) : element ^ 1u;
    float cosine = angleAt(j), sine = angleAt(turn.pairs + j);
    precise float turned = own * cosine + (second ? sine : -sine) * headNumber(turn.begin + other);
    return turned;
}

void putGroup(Turn turn, uint group, uint length_, uint to) {
    uint first = group * WB_CACHE_GROUP, end = min(first + WB_CACHE_GROUP, length_);
    float absmax = 0.0;
    for (uint i = first; i < end; ++i) absmax = max(absmax, abs(rotated(turn, i)));
    float inverse = absmax > 1e-30 ? exactDivide(127.0, absmax) : 0.0;
    for (uint i = first; i < end; i += 4) {
        uint word = 0;
        for (uint k = i; k < min(i + 4, end); ++k) {
            precise float scaled = rotated(turn, k) * inverse;
            word |= (uint(int(roundEven(scaled))) & 255u) << (8 * (k - i));
        }
        putWord(to + i / 4, word);
    }
    putWord(to + codeWords(length_) + group, f16Bits(exactDivide(absmax, 127.0)));
}

// A head of `length_` numbers, an even one, has as many parts: two elements that are side by side, or a group that shares a scale.
uint headParts(uint length_) {
    return CACHE == WB_CACHE_Q8_0 ? (length_ + WB_CACHE_GROUP - 1) / WB_CACHE_GROUP : length_ / 2;
}

// One of them, as its words of the head, which start at `to`. The factor is that of numbers in f32.
void putPart(Turn turn, uint part, uint length_, uint to, float factor) {
    if (CACHE == WB_CACHE_Q8_0) {
        putGroup(turn, part, length_, to);
        return;
    }
    float low = rotated(turn, 2 * part), high = rotated(turn, 2 * part + 1);
    if (CACHE == WB_CACHE_F16) {
        putWord(to + part, f16Bits(low) | f16Bits(high) << 16);
        return;
    }
    precise vec2 both = vec2(low, high) * factor;
    putWord(to + 2 * part, floatBitsToUint(both.x));
    putWord(to + 2 * part + 1, floatBitsToUint(both.y));
}

#endif
