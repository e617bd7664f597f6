// SPDX-License-Identifier: MIT
// What stats_first_pass.comp writes about a tile, as word numbers. Read by both compilers.
#ifndef WB_STATS_TILE_H
#define WB_STATS_TILE_H

#define WB_TILE_ELEMENTS 4096
#define WB_TILE_WORDS 16

#define WB_TILE_NAN 0
#define WB_TILE_INF 1
#define WB_TILE_ZEROS 2
#define WB_TILE_SUBNORMALS 3
#define WB_TILE_MIN 4      // sort key of the smallest finite value
#define WB_TILE_MAX 5      // sort key of the largest finite value
#define WB_TILE_ABSMAX 6   // bits of the largest finite magnitude
#define WB_TILE_EXPONENT 7 // int: the values below are those of x · 2^-exponent, below 2 in magnitude
#define WB_TILE_PIVOT 8    // f32, near the mean
#define WB_TILE_SUM1 9     // f32: Σ(x - pivot), then the sums of its second, third and fourth powers
#define WB_TILE_SUM2 10
#define WB_TILE_SUM3 11
#define WB_TILE_SUM4 12

// Counts by the upper halves of the sort keys are spread over several tables, so that invocations seldom wait for each other.
#define WB_RADIX_TABLES 4
#define WB_RADIX_BINS 65536

#endif
