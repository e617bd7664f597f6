// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/danger.h"

#include <optional>
#include <string>
#include <string_view>

// What is known of the names that pickles refer to (docs/reference/safety.md, "Lists"), from lists/allowed.tsv and
// lists/dangerous.tsv. A name nobody vetted is of level C; the dangerous list only makes sentences better.
namespace wb::pickle {

// A row of the allowed list.
struct AllowedName {
    DangerLevel level = DangerLevel::A;
    std::string_view operations; // of c call, n new object, b state, s items, a elements, d members
    std::string_view constraint; // on the arguments of a call: data, codec, dtype, nested or nothing
    std::string_view reason;

    bool allows(char operation) const { return operations.find(operation) != std::string_view::npos; }
};

// The row of exactly this name, in its spelling of Python 2 too. Null where nobody vetted it.
const AllowedName* allowedName(std::string_view module, std::string_view name);

// Why the name is dangerous, in whatever way a loader may read it: by itself, as a part of a dangerous module, through dots in
// either part, or renamed from Python 2. Empty where it is not known to be.
std::string_view dangerOf(std::string_view module, std::string_view name);

DangerLevel levelOf(std::string_view module, std::string_view name);

// The name of Python 3 for one of Python 2, as loaders map it (python/cpython: Lib/_compat_pickle.py); the same where there is
// none.
struct FullName {
    std::string_view module;
    std::string_view name;
};
FullName mappedName(std::string_view module, std::string_view name);

} // namespace wb::pickle
