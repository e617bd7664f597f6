// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/danger.h"

#include <optional>
#include <string>
#include <string_view>

// The classification of names in pickles (docs/reference/safety.md, "Lists"), from lists/allowed.tsv and
// lists/dangerous.tsv. An unlisted name is of level C; the dangerous list only makes sentences better.
namespace wb::pickle {

// A row of the allowed list.
struct AllowedName {
    DangerLevel level = DangerLevel::A;
    std::string_view operations; // of c call, n new object, b state, s items, a elements, d members
    std::string_view constraint; // on the arguments of a call: data, codec, dtype, nested or nothing
    std::string_view reason;

    bool allows(char operation) const { return operations.find(operation) != std::string_view::npos; }
};

// The row of exactly this name, in its spelling of Python 2 too. Null if it is not listed.
const AllowedName* allowedName(std::string_view module, std::string_view name);

// Why the name is dangerous, in whatever way a loader may read it: by itself, as a part of a dangerous module, through dots in
// either part, or renamed from Python 2. Empty if unknown.
std::string_view globalDanger(std::string_view module, std::string_view name);

DangerLevel globalDangerLevel(std::string_view module, std::string_view name);

// The name of Python 3 for one of Python 2, as loaders map it (python/cpython: Lib/_compat_pickle.py); the same name if none
// exists.
struct FullName {
    std::string_view module;
    std::string_view name;
};
FullName mappedName(std::string_view module, std::string_view name);

} // namespace wb::pickle
