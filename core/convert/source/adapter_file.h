// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wb::convert {

// An adapter that is merged into the source.
struct AdapterFile {
    std::string path; // absolute, of its folder or file, UTF-8
    double scale = 1;

    bool operator==(const AdapterFile&) const = default;
};

} // namespace wb::convert
