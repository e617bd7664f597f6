// SPDX-License-Identifier: MIT
#include "core/convert/merge/mergekit_file.h"

#include <cstdlib>

// A mergekit configuration: a recipe that parses passes the checks of a merge and can be written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wb::convert;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto recipe = parseMergekit(text, "fuzz.yml", "/fuzz");
    if (!recipe) return 0;
    if (!checkSettings(recipe->choices.settings)) std::abort();
    if (const auto written = mergekitText(*recipe); written && written->empty()) std::abort();
    return 0;
}
