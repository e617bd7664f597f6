// SPDX-License-Identifier: MIT
// The order-preserving image of the bits of an f32: of two numbers the smaller one has the smaller image (core/stats/sort_key.h).
uint imageOf(uint bits) { return (bits & signBit) != 0 ? ~bits : bits | signBit; }
