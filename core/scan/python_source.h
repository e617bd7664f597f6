// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/danger.h"

#include <string_view>
#include <vector>

namespace wb::scan {

// The names that a Python source refers to, each once: D for what starts programs, evaluates text, opens sockets, loads native code
// or reaches into the interpreter, C for what reaches the network or deletes files. A relative import is a name of level C whose
// module starts with a dot. Read token by token as Python does (python/cpython: Lib/tokenize.py): comments and strings neither hide
// nor cause findings; names are followed through `import … as`. A source that builds its names at run time is not seen through, so
// this proves nothing harmless.
std::vector<DangerousName> namesOfPython(std::string_view source);

} // namespace wb::scan
