// SPDX-License-Identifier: MIT
// What the weighted forms add to the square of each element: factor · Σx² / divisor of its block, the sum in index order. One invocation
// a block, one next to the other, so that only the first subgroup of the workgroup is busy. To be called by all, before a barrier, with nothing
// to report.
shared float meanSquare[BLOCKS];

void findMeanSquares(float factor, float divisor) {
    uint block = gl_LocalInvocationID.x;
    if (block >= BLOCKS) return;
    F sum = 0.0;
    for (uint i = 0u; i < BLOCK_ELEMENTS; ++i) {
        float x = elementOf(block, i);
        F square = x * x;
        watchSquare(x, square, sum);
        sum += square;
    }
    F scaled = factor * sum;
    F mean = scaled / divisor; // a power of two: exact on every device
    watchProduct(factor, sum, scaled);
    watchProduct(scaled, 1.0, mean);
    report(block);
    meanSquare[block] = mean;
}
