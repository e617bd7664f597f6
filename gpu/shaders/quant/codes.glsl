// SPDX-License-Identifier: MIT
// A word for each element of the workgroup's blocks, in the end its code: element i of an invocation's group in row i. The column more
// than there are invocations spreads both rows and columns over the banks of shared memory.
shared uint codes[GROUP][65];

void setCode(uint i, uint code) { codes[i][gl_LocalInvocationID.x] = code; }
uint ownCode(uint i) { return codes[i][gl_LocalInvocationID.x]; }
uint codeAt(uint block, uint at) { return codes[at % GROUP][block * LANES + at / GROUP]; }
