// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace wb::test {

// Every case takes minutes on software Vulkan, so the usual run takes a sample; WEIGHBRIDGE_GPU_ALL=1 adds the rest.
inline bool runsAll() {
    const char* const all = std::getenv("WEIGHBRIDGE_GPU_ALL");
    return all != nullptr && std::string_view(all) == "1";
}

template <class T>
std::vector<T> sample(std::vector<T> usual, const std::vector<T>& rest) {
    if (runsAll()) usual.insert(usual.end(), rest.begin(), rest.end());
    return usual;
}

} // namespace wb::test
