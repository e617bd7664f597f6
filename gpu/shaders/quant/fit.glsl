// SPDX-License-Identifier: MIT
// The fitting procedures of core/quant/fit.h, on the invocation's own group: gx values, gw weights, gc codes, `count` of them.
float gx[32];
float gw[32];
int gc[32];

const float emptyGroup = 1e-15;

struct Sums {
    float lx; // Σ w·x·l
    float l2; // Σ w·l·l
};

// The first element whose magnitude is strictly largest; 0 where all are 0.
float signedLargest(int count) {
    float value = 0.0, magnitude = 0.0;
    for (int i = 0; i < count; ++i) {
        if (abs(gx[i]) > magnitude) {
            value = gx[i];
            magnitude = abs(value);
        }
    }
    return value;
}

int symmetricLevel(int n, float inverse, float x) {
    F scaled = inverse * x;
    return clamp(nearestInt(scaled), -n, n - 1);
}

Sums symmetricSums(int n, float inverse, int count) {
    F lx = 0.0;
    F l2 = 0.0;
    for (int i = 0; i < count; ++i) {
        float l = float(symmetricLevel(n, inverse, gx[i]));
        lx += gw[i] * gx[i] * l;
        l2 += gw[i] * l * l;
    }
    return Sums(lx, l2);
}

void clearCodes(int count) {
    for (int i = 0; i < count; ++i) gc[i] = 0;
}

float ratioOrZero(Sums sums) { return sums.l2 > 0.0 ? exactDivide(sums.lx, sums.l2) : 0.0; }

// QX: codes 0 … 2n-1.
float fitSymmetric(int n, int count) {
    float largest = signedLargest(count);
    if (abs(largest) < emptyGroup) {
        clearCodes(count);
        return 0.0;
    }
    float bestInverse = exactDivide(float(-n), largest);
    Sums first = symmetricSums(n, bestInverse, count);
    float scale = first.l2 != 0.0 ? exactDivide(first.lx, first.l2) : 0.0;
    F best = scale * first.lx;
    for (int t = -9; t <= 9; ++t) {
        if (t == 0) continue;
        F above = float(n) + 0.1 * float(t);
        float inverse = exactDivide(-above, largest);
        Sums sums = symmetricSums(n, inverse, count);
        F left = sums.lx * sums.lx;
        F right = best * sums.l2;
        if (!(sums.l2 > 0.0 && left > right)) continue;
        bestInverse = inverse;
        scale = exactDivide(sums.lx, sums.l2);
        best = scale * sums.lx;
    }
    for (int i = 0; i < count; ++i) gc[i] = n + symmetricLevel(n, bestInverse, gx[i]);
    return scale;
}

// Q3: weights are x².
float fitBySweeps(int n, int count) {
    float largest = signedLargest(count);
    if (abs(largest) < emptyGroup) {
        clearCodes(count);
        return 0.0;
    }
    float inverse = exactDivide(float(-n), largest);
    for (int i = 0; i < count; ++i) {
        F square = gx[i] * gx[i];
        gw[i] = square;
        gc[i] = symmetricLevel(n, inverse, gx[i]);
    }
    Sums sums = symmetricSums(n, inverse, count);
    for (int sweep = 0; sweep < 5; ++sweep) {
        bool changed = false;
        for (int i = 0; i < count; ++i) {
            float old = float(gc[i]);
            F lx = sums.lx - gw[i] * gx[i] * old;
            if (!(lx > 0.0)) continue;
            F l2 = sums.l2 - gw[i] * old * old;
            F product = gx[i] * l2;
            int next = clamp(nearestInt(exactDivide(product, lx)), -n, n - 1);
            if (next == gc[i]) continue;
            float level = float(next);
            lx += gw[i] * gx[i] * level;
            l2 += gw[i] * level * level;
            F left = lx * lx * sums.l2;
            F right = sums.lx * sums.lx * l2;
            if (!(l2 > 0.0 && left > right)) continue;
            gc[i] = next;
            sums = Sums(lx, l2);
            changed = true;
        }
        if (!changed) break;
    }
    for (int i = 0; i < count; ++i) gc[i] += n;
    return ratioOrZero(sums);
}

// QKX2, QKX3: codes 0 … n; returns the scale, `minimum` is subtracted.
struct AffineSearch {
    float first;
    float step;
    int tries;
    bool absoluteError;
    bool emptyIfNotAbove;
};

int affineCode(int n, float inverse, float low, float x) {
    F above = x - low;
    F scaled = inverse * above;
    return clamp(nearestInt(scaled), 0, n);
}

int tried[32];

float affineError(float scale, float low, bool absolute, int count) {
    F error = 0.0;
    for (int i = 0; i < count; ++i) {
        F e = scale * float(tried[i]) + low - gx[i];
        F size = absolute ? abs(e) : e * e;
        error += gw[i] * size;
    }
    return error;
}

float fitAffine(int n, AffineSearch search, int count, out float minimum) {
    float low = gx[0], high = gx[0];
    F sumW = gw[0];
    F sumWx = gw[0] * gx[0];
    for (int i = 1; i < count; ++i) {
        if (gx[i] < low) low = gx[i];
        if (gx[i] > high) high = gx[i];
        sumW += gw[i];
        sumWx += gw[i] * gx[i];
    }
    if (low > 0.0) low = 0.0;
    if (search.emptyIfNotAbove ? high <= low : high == low) {
        clearCodes(count);
        minimum = -low;
        return 0.0;
    }
    float top = float(n);
    F range = high - low;
    float inverse = exactDivide(top, range);
    float scale = exactDivide(1.0, inverse);
    for (int i = 0; i < count; ++i) gc[i] = tried[i] = affineCode(n, inverse, low, gx[i]);
    float bestError = affineError(scale, low, search.absoluteError, count);
    for (int t = 0; t <= search.tries; ++t) {
        // The accepted low moves the next candidates, so the steps depend on each other.
        F above = search.first + search.step * float(t) + top;
        F newRange = high - low;
        float candidate = exactDivide(above, newRange);
        F l = 0.0;
        F l2 = 0.0;
        F lx = 0.0;
        for (int i = 0; i < count; ++i) {
            tried[i] = affineCode(n, candidate, low, gx[i]);
            float code = float(tried[i]);
            l += gw[i] * code;
            l2 += gw[i] * code * code;
            lx += gw[i] * code * gx[i];
        }
        F determinant = sumW * l2 - l * l;
        if (!(determinant > 0.0)) continue;
        F scaleTop = sumW * lx - sumWx * l;
        F lowTop = l2 * sumWx - l * lx;
        float triedScale = exactDivide(scaleTop, determinant);
        float triedLow = exactDivide(lowTop, determinant);
        if (triedLow > 0.0) {
            triedLow = 0.0;
            triedScale = exactDivide(lx, l2);
        }
        float error = affineError(triedScale, triedLow, search.absoluteError, count);
        if (!(error < bestError)) continue;
        for (int i = 0; i < count; ++i) gc[i] = tried[i];
        bestError = error;
        scale = triedScale;
        low = triedLow;
    }
    minimum = -low;
    return scale;
}

// QP: codes 0 … n in bytes; negative values wrap.
float positiveError(int n, float inverse, float scale, bool asBytes, int count) {
    F error = 0.0;
    for (int i = 0; i < count; ++i) {
        F scaled = inverse * gx[i];
        int level = nearestInt(scaled);
        level = asBytes ? level & 255 : min(n, level);
        F e = gx[i] - scale * float(level);
        error += gw[i] * e * e;
    }
    return error;
}

float fitPositive(int n, int count) {
    float largest = 0.0;
    for (int i = 0; i < count; ++i) largest = largest < gx[i] ? gx[i] : largest;
    if (largest < emptyGroup) {
        clearCodes(count);
        return 0.0;
    }
    float inverse = exactDivide(float(n), largest);
    float bestError = positiveError(n, inverse, exactDivide(1.0, inverse), true, count);
    for (int t = -4; t <= 4; ++t) {
        if (t == 0) continue;
        F above = 0.1 * float(t) + float(n);
        float candidate = exactDivide(above, largest);
        float error = positiveError(n, candidate, exactDivide(1.0, candidate), false, count);
        if (error < bestError) {
            bestError = error;
            inverse = candidate;
        }
    }
    F sumLx = 0.0;
    F sumL2 = 0.0;
    for (int i = 0; i < count; ++i) {
        F scaled = inverse * gx[i];
        int level = min(n, nearestInt(scaled));
        gc[i] = level & 255;
        float l = float(level);
        sumLx += gw[i] * gx[i] * l;
        sumL2 += gw[i] * l * l;
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        bool changed = false;
        for (int i = 0; i < count; ++i) {
            float old = float(gc[i]);
            F lx = sumLx - gw[i] * gx[i] * old;
            F l2 = sumL2 - gw[i] * old * old;
            if (!(lx > 0.0 && l2 > 0.0)) continue;
            F product = gx[i] * l2;
            int next = min(n, nearestInt(exactDivide(product, lx)));
            if (next == gc[i]) continue;
            float level = float(next);
            lx += gw[i] * gx[i] * level;
            l2 += gw[i] * level * level;
            F left = lx * lx * sumL2;
            F right = sumLx * sumLx * l2;
            if (!(left > right)) continue;
            gc[i] = next & 255;
            sumLx = lx;
            sumL2 = l2;
            changed = true;
        }
        if (!changed) break;
    }
    return sumL2 > 0.0 ? exactDivide(sumLx, sumL2) : 0.0;
}
