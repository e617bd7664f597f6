// SPDX-License-Identifier: MIT
// The fits of core/quant/kernels/fit.h that improve code after code, each step needing the one before: sx values, sw weights, sc codes, `count`
// of them. They have their own arrays since their loops are too long to be unrolled, and what is indexed in a loop leaves the registers.
float sx[32];
float sw[32];
int sc[32];

void clearCodes(int count) {
    for (int i = 0; i < count; ++i) sc[i] = 0;
}

// What fitPositive() starts from, as watchFit() has it; the least weight that is not zero.
uint watchSweep(int count) {
    uint minWeight = NOTHING;
    for (int i = 0; MARKS && i < count; ++i) {
        F product = sw[i] * sx[i];
        watchCoarse(sx[i]);
        watchCoarse(sw[i]);
        watchTerm(sw[i], sx[i], product);
        minWeight = minOf(minWeight, sw[i]);
    }
    return minWeight;
}

// QP: codes 0 … n in bytes; negative values wrap.
float fitPositive(int n, int count) {
    float largest = 0.0;
    for (int i = 0; i < count; ++i) largest = largest < sx[i] ? sx[i] : largest;
    if (largest < emptyGroup) {
        clearCodes(count);
        return 0.0;
    }
    uint minWeight = watchSweep(count);
    Divisor by = divisorOf(largest);
    float inverse = 0.0;
    float bestError = 0.0;
    for (int k = 0; k < 9; ++k) {
        int t = k == 0 ? 0 : k < 5 ? k - 5 : k - 4; // the start, then from -4 to 4
        F above = 0.1 * float(t) + float(n);
        float candidate = exactDivide(above, by);
        float scale = exactDivide(1.0, candidate);
        watch(candidate);
        watchCoarse(scale);
        uint minError = NOTHING;
        F error = 0.0;
        for (int i = 0; i < count; ++i) {
            F scaled = candidate * sx[i];
            int level = nearestInt(scaled);
            level = k == 0 ? level & 255 : min(n, level);
            F e = sx[i] - scale * float(level);
            minError = minOf(minError, e);
            error += sw[i] * e * e;
        }
        float minE = minValue(minError), minW = minValue(minWeight);
        F once = minW * minE;
        F twice = once * minE;
        watchProduct(minW, minE, once);
        watchProduct(minW, minE, twice);
        if (k > 0 && !(error < bestError)) continue;
        bestError = error;
        inverse = candidate;
    }
    F sumLx = 0.0;
    F sumL2 = 0.0;
    for (int i = 0; i < count; ++i) {
        F scaled = inverse * sx[i];
        int level = min(n, nearestInt(scaled));
        sc[i] = level & 255;
        float l = float(level);
        sumLx += sw[i] * sx[i] * l;
        sumL2 += sw[i] * l * l;
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        bool changed = false;
        for (int i = 0; i < count; ++i) {
            float old = float(sc[i]);
            F lx = sumLx - sw[i] * sx[i] * old;
            F l2 = sumL2 - sw[i] * old * old;
            if (!(lx > 0.0 && l2 > 0.0)) continue;
            F product = sx[i] * l2;
            watchProduct(sx[i], l2, product);
            int next = min(n, nearestInt(exactDivide(product, lx)));
            if (next == sc[i]) continue;
            float level = float(next);
            lx += sw[i] * sx[i] * level;
            l2 += sw[i] * level * level;
            F left = lx * lx * sumL2;
            F right = sumLx * sumLx * l2;
            watchProduct(lx, sumL2, left); // vanishes if lx² does
            watchProduct(sumLx, l2, right);
            if (!(left > right)) continue;
            sc[i] = next & 255;
            sumLx = lx;
            sumL2 = l2;
            changed = true;
        }
        if (!changed) break;
    }
    return sumL2 > 0.0 ? exactDivide(sumLx, sumL2) : 0.0;
}
