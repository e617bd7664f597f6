// SPDX-License-Identifier: MIT
// The fitting procedures of core/quant/kernels/fit.h, on the invocation's own group: gx values, gw weights, `count` of them. Loops over the group
// are unrolled, so that it stays in registers; what a search keeps of its best candidate are the numbers its codes are made with.
float gx[32];
float gw[32];

const float emptyGroup = 1e-15;

struct Sums {
    float lx; // Σ w·x·l
    float l2; // Σ w·l·l
};

// The first element whose magnitude is strictly largest; 0 where all are 0.
float signedLargest(int count) {
    float value = 0.0;
    [[unroll]] for (int i = 0; i < count; ++i) value = abs(gx[i]) > abs(value) ? gx[i] : value;
    return value;
}

// float(clamp(nearestInt(x), low, high)): the integer is clamped while it is the significand of a float.
float nearestLevel(float x, int low, int high) {
    F shifted = x + 12582912.0;
    int held = int(shiftedSignificand(shifted) | 0x4b000000u);
    F level = intBitsToFloat(clamp(held, 0x4b400000 + low, 0x4b400000 + high)) - 12582912.0;
    return level;
}

float symmetricLevel(int n, float inverse, float x) {
    F scaled = inverse * x;
    return nearestLevel(scaled, -n, n - 1);
}

Sums symmetricSums(int n, float inverse, int count) {
    F lx = 0.0;
    F l2 = 0.0;
    [[unroll]] for (int i = 0; i < count; ++i) {
        float l = symmetricLevel(n, inverse, gx[i]);
        lx += gw[i] * gx[i] * l;
        l2 += gw[i] * l * l;
    }
    return Sums(lx, l2);
}

float ratioOrZero(Sums sums) { return sums.l2 > 0.0 ? exactDivide(sums.lx, sums.l2) : 0.0; }

// The inputs of the fits below: values, weights and their products enter sums. The least weight that is not zero, for watchErrors().
uint watchFit(int count) {
    uint minWeight = NOTHING;
    if (MARKS) {
        [[unroll]] for (int i = 0; i < count; ++i) {
            F product = gw[i] * gx[i];
            watchCoarse(gx[i]);
            watchCoarse(gw[i]);
            watchTerm(gw[i], gx[i], product);
            minWeight = minOf(minWeight, gw[i]);
        }
    }
    return minWeight;
}

// Σ w·e² or Σ w·|e|, whose least parts are known. Errors are differences of coarse numbers, hence no subnormals themselves.
void watchErrors(uint minWeight, uint minError, bool absoluteError) {
    float e = minValue(minError), w = minValue(minWeight);
    F square = absoluteError ? e : e * e;
    F least = w * square;
    watchProduct(e, e, square);
    watchProduct(w, e, least);
}

// The comparison of a candidate's fit, lx² / l2, with the best one, multiplied out.
void watchFits(float lx, float left, float best, float l2, float right) {
    watchProduct(lx, lx, left);
    watchProduct(best, l2, right);
}

// QX. `inverse` gives the codes, n + symmetricLevel; it is 0 and the codes are too where the group is empty.
float fitSymmetric(int n, int count, out float inverse) {
    float largest = signedLargest(count);
    inverse = 0.0;
    if (abs(largest) < emptyGroup) return 0.0;
    watchFit(count);
    Divisor by = divisorOf(largest);
    float scale = 0.0;
    F best = 0.0;
    for (int k = 0; k < 19; ++k) {
        int t = k == 0 ? 0 : k < 10 ? k - 10 : k - 9; // the start, then from -9 to 9
        F above = float(n) + 0.1 * float(t);
        float candidate = exactDivide(-above, by);
        watch(candidate);
        Sums sums = symmetricSums(n, candidate, count);
        F left = sums.lx * sums.lx;
        F right = best * sums.l2;
        watchFits(sums.lx, left, best, sums.l2, right);
        bool better = k == 0 ? sums.l2 != 0.0 : sums.l2 > 0.0 && left > right;
        if (k == 0 || better) inverse = candidate;
        if (!better) continue;
        scale = exactDivide(sums.lx, sums.l2);
        best = scale * sums.lx;
        watchCoarse(scale);
        watchProduct(scale, sums.lx, best);
    }
    return scale;
}

int symmetricCode(int n, float inverse, float x) { return inverse != 0.0 ? n + int(symmetricLevel(n, inverse, x)) : 0; }

// QKX2, QKX3: codes 0 … n. The codes are affineLevel of `inverse` and `low`; all 0 where `inverse` is 0.
struct AffineSearch {
    float first;
    float step;
    int tries;
    bool absoluteError;
    bool emptyIfNotAbove;
};

struct AffineFit {
    float scale;
    float minimum; // to be subtracted
    float inverse;
    float low;
};

float affineLevel(int n, float inverse, float low, float x) {
    F above = x - low;
    F scaled = inverse * above;
    return nearestLevel(scaled, 0, n);
}

AffineFit fitAffine(int n, AffineSearch search, int count) {
    float low = gx[0], high = gx[0];
    F sumW = gw[0];
    F sumWx = gw[0] * gx[0];
    [[unroll]] for (int i = 1; i < count; ++i) {
        low = gx[i] < low ? gx[i] : low;
        high = gx[i] > high ? gx[i] : high;
        sumW += gw[i];
        sumWx += gw[i] * gx[i];
    }
    if (low > 0.0) low = 0.0;
    AffineFit fit = AffineFit(0.0, -low, 0.0, low);
    if (search.emptyIfNotAbove ? high <= low : high == low) return fit;
    uint minWeight = watchFit(count);
    float bestError = 0.0;
    for (int t = -1; t <= search.tries; ++t) { // -1 is the start
        // The accepted low moves the next candidates, so the steps depend on each other.
        float top = float(n);
        F above = search.first + search.step * float(t) + top;
        F range = high - low;
        float inverse = exactDivide(t < 0 ? top : above, range);
        watch(inverse);
        float levels[32];
        F l = 0.0;
        F l2 = 0.0;
        F lx = 0.0;
        [[unroll]] for (int i = 0; i < count; ++i) {
            levels[i] = affineLevel(n, inverse, low, gx[i]);
            F weighted = gw[i] * levels[i];
            l += weighted;
            l2 += weighted * levels[i];
            lx += weighted * gx[i];
        }
        // Named, so that what enters the differences can be watched.
        F weightSquares = sumW * l2, levelSquares = l * l;
        F weightProducts = sumW * lx, crossed = sumWx * l;
        F lowFirst = l2 * sumWx, lowSecond = l * lx;
        watchTerm(sumW, l2, weightSquares);
        watchTerm(l, l, levelSquares);
        watchTerm(sumW, lx, weightProducts);
        watchTerm(sumWx, l, crossed);
        watchTerm(l2, sumWx, lowFirst);
        watchTerm(l, lx, lowSecond);
        F determinant = weightSquares - levelSquares;
        F scaleTop = weightProducts - crossed;
        F lowTop = lowFirst - lowSecond;
        float triedLow = t < 0 ? low : exactDivide(lowTop, determinant);
        bool positive = t >= 0 && triedLow > 0.0;
        if (positive) triedLow = 0.0;
        float triedScale = exactDivide(t < 0 ? 1.0 : positive ? lx : scaleTop, t < 0 ? inverse : positive ? l2 : determinant);
        bool counts = t < 0 || determinant > 0.0; // else the candidate is dropped, whatever it is
        if (counts) {
            watchCoarse(triedLow);
            watchCoarse(triedScale);
        }
        uint minError = NOTHING;
        F error = 0.0;
        [[unroll]] for (int i = 0; i < count; ++i) {
            F e = triedScale * levels[i] + triedLow - gx[i];
            minError = minOf(minError, e);
            F size = search.absoluteError ? abs(e) : e * e;
            error += gw[i] * size;
        }
        if (counts) watchErrors(minWeight, minError, search.absoluteError);
        if (t >= 0 && !(determinant > 0.0 && error < bestError)) continue;
        bestError = error;
        fit = AffineFit(triedScale, -triedLow, inverse, low);
        low = triedLow;
    }
    return fit;
}

int affineCode(int n, AffineFit fit, float x) { return fit.inverse != 0.0 ? int(affineLevel(n, fit.inverse, fit.low, x)) : 0; }
