// SPDX-License-Identifier: MIT
// What error_sums.comp writes about a tile, as word numbers. Read by both compilers.
#ifndef WB_ERROR_TILE_H
#define WB_ERROR_TILE_H

#define WB_ERROR_TILE_ELEMENTS 4096
#define WB_ERROR_TILE_WORDS 10

#define WB_ERROR_EXPONENT 0 // int: the sums are those of numbers times 2^-exponent
#define WB_ERROR_BAD 1      // 1: a source value is not finite, 2: a decoded one, 3: both kinds are there
#define WB_ERROR_SUMS 2     // four pairs of f32, a sum each: (v - w)^2, w^2, v^2, w·v of the source w and the decoded v

#endif
