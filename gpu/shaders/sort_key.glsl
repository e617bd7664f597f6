// SPDX-License-Identifier: MIT
// The sort key of the bits of an f32: of two numbers the smaller one has the smaller key (core/stats/sort_key.h).
uint sortKeyOf(uint bits) { return (bits & signBit) != 0 ? ~bits : bits | signBit; }
