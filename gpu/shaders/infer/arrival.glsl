// SPDX-License-Identifier: MIT
// The workgroup that arrives last does a step for all that have arrived, so that the step needs no other dispatch, for which the
// device would wait. No workgroup waits for another here: they may run one after the other. The includer marks buffers `coherent`
// that one workgroup writes and another one reads.
#ifndef WB_INFER_ARRIVAL_GLSL
#define WB_INFER_ARRIVAL_GLSL

layout(binding = 8) coherent buffer Counters { uint counters[]; }; // zero before and after

shared bool arrivedLast;

// Whether all others of `workgroups` have arrived at this counter; what they wrote before can be read then. All invocations of
// a workgroup call it once.
bool isLastOf(uint counter, uint workgroups) {
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationID.x == 0) {
        arrivedLast = atomicAdd(counters[counter], 1) == workgroups - 1;
        if (arrivedLast) counters[counter] = 0;
    }
    barrier();
    memoryBarrierBuffer();
    return arrivedLast;
}

#endif
