// SPDX-License-Identifier: MIT
// What the worker does with a folder of arrays. The input is a list of files: a line with a name, a byte with the length of the
// content (255: the rest of the input), the content.
#include "core/formats/zarr/zarr.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wb;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    formats::Sources sources;
    std::string wish = "folder\n";
    while (!rest.empty() && sources.size() < 32) {
        const std::size_t line = rest.find('\n');
        if (line == std::string_view::npos || line + 1 >= rest.size()) break;
        const std::string name(rest.substr(0, line));
        const auto stated = static_cast<unsigned char>(rest[line + 1]);
        rest.remove_prefix(line + 2);
        const std::size_t length = stated == 255 ? rest.size() : std::min<std::size_t>(stated, rest.size());
        const auto content = std::as_bytes(std::span(rest.substr(0, length)));
        sources.push_back(std::make_shared<io::MemorySource>("folder", std::vector(content.begin(), content.end())));
        wish += name + "\n";
        rest.remove_prefix(length);
    }
    auto index = zarr::readIndex(sources, wish, {});
    if (!index) {
        if (index.error().message().find("folder") == std::string::npos) std::abort(); // a sentence names its folder
        return 0;
    }
    if (!sources.empty()) fuzz::touchModel(formats::modelFromIndex(std::move(*index), sources, zarr::unpack));
    return 0;
}
