// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// The second pass over decoded values, once extremes, moments and radix histogram are known: bins of the histogram, outliers, and the
// lower halves of the values among which a percentile is. Everything is compared as sort keys; the host knows the f64 rules after the
// limits.
layout(constant_id = 0) const bool binsFitShared = true; // at most sharedBins of them
layout(local_size_x = 128) in;

const uint sharedBins = 1024;
const uint elementsAGroup = 4 * 4096;
const uint digits = 65536;

layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) readonly buffer Lowest { uint lowest[]; }; // the smallest sort key of every bin, ascending; the first one is 0
layout(binding = 2) buffer Counts { uint counts[]; };          // outliers, then the bins, then a table of digits a prefix
layout(push_constant) uniform Push {
    uint count;
    uint bins;
    uint notBelow; // sort keys below it are outliers
    uint notAbove; // sort keys above it are outliers
    uint prefixes; // how many
    uint prefix[9]; // upper halves of sort keys
};

#include "float_bits.glsl"
#include "sort_key.glsl"

shared uint sharedLowest[sharedBins];
shared uint sharedCounts[sharedBins];
shared uint outliers;

uint lowestOf(uint bin) { return binsFitShared ? sharedLowest[bin] : lowest[bin]; }

// The last bin whose smallest sort key is not above this one.
uint binOf(uint key) {
    uint first = 0, end = bins;
    while (end - first > 1) {
        uint middle = (first + end) / 2;
        if (lowestOf(middle) <= key) first = middle;
        else end = middle;
    }
    return first;
}

void countElement(uint key) {
    uint bin = binOf(key);
    if (binsFitShared) atomicAdd(sharedCounts[bin], 1);
    else atomicAdd(counts[1 + bin], 1);
    for (uint i = 0; i < prefixes; ++i)
        if (prefix[i] == key >> 16) atomicAdd(counts[1 + bins + i * digits + (key & 0xFFFF)], 1);
}

void main() {
    uint me = gl_LocalInvocationID.x;
    if (me == 0) outliers = 0;
    if (binsFitShared)
        for (uint bin = me; bin < bins; bin += gl_WorkGroupSize.x) {
            sharedLowest[bin] = lowest[bin];
            sharedCounts[bin] = 0;
        }
    barrier();
    uint first = gl_WorkGroupID.x * elementsAGroup;
    uint end = min(first + elementsAGroup, count);
    uint myOutliers = 0;
    for (uint i = first + me; i < end; i += gl_WorkGroupSize.x) {
        if (!isFinite(values[i])) continue;
        uint key = sortKeyOf(values[i]);
        myOutliers += uint(key < notBelow || key > notAbove);
        countElement(key);
    }
    atomicAdd(outliers, myOutliers);
    barrier();
    if (me == 0) atomicAdd(counts[0], outliers);
    if (binsFitShared)
        for (uint bin = me; bin < bins; bin += gl_WorkGroupSize.x)
            if (sharedCounts[bin] != 0) atomicAdd(counts[1 + bin], sharedCounts[bin]);
}
