// SPDX-License-Identifier: MIT
// Where the tables of the decoders are in their buffer, in words. Read by both compilers; gpu/decode fills the buffer.
#ifndef WB_DECODE_TABLES_H
#define WB_DECODE_TABLES_H

// Grid points with one element a byte: eight elements (two words, the lower ones first) or four elements (one word) a point.
#define WB_GRID_IQ2_XXS 0    // 256 points of eight
#define WB_GRID_IQ2_XS 512   // 512 points of eight
#define WB_GRID_IQ2_S 1536   // 1024 points of eight
#define WB_GRID_IQ1 3584     // 2048 points of eight, IQ1_S and IQ1_M
#define WB_GRID_IQ3_XXS 7680 // 256 points of four
#define WB_GRID_IQ3_S 7936   // 512 points of four
#define WB_LEVELS_IQ4 8448   // 16 signed bytes
#define WB_DECODE_TABLE_WORDS 8452

#endif
