// SPDX-License-Identifier: MIT
#pragma once

namespace wb::worker {

// Before anything of a file is read, shuts this process in for the rest of its life: no other descriptors than the channel, limits
// of memory and time, no new privileges, and on Linux a filter of system calls that ends the process at any call not needed for
// computing and for reading and writing the channel. It cannot open, start, connect or map anything to run. On Windows the parent
// has done so (process_win.cpp): a job with limits and a token without privileges and of low integrity. False where a part of it
// could not be had; the process must then end.
bool shutIn();

// The missing protection on this system, as a sentence; empty where nothing is.
const char* missingGuarantee();

} // namespace wb::worker
