// SPDX-License-Identifier: MIT
#pragma once

namespace wb {

// Has blocks of 1 MiB and more taken from the system and given back to it one by one, for the rest of the process. Otherwise glibc
// goes over to keeping ever larger ones for later (up to 32 MiB), and a window that is open for long takes much more memory than it
// uses. To be called once, at the start. Does nothing with other C libraries.
void returnLargeBlocks();

} // namespace wb
