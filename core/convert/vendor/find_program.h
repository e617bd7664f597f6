// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/vendor/vendor_tools.h"

namespace wb::convert {

struct FoundProgram {
    std::optional<std::filesystem::path> path; // empty: not installed
    std::string version;                       // of the package; empty: unknown
};

// The first program of that name in the folders; with `package`, the first one of a Python that has the package installed, found by
// the package's *.dist-info folder. Reads folders, starts nothing.
FoundProgram findProgram(const std::string& name, const std::string& package, const VendorSearch& search);

} // namespace wb::convert
