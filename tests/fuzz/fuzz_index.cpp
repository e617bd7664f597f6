// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/index_parse.h"
#include "core/io/byte_source.h"

#include <cstdlib>

// Every file that an index names lies in the model's folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    wb::formats::Findings findings("input.json", wb::formats::Strictness::Lenient);
    const auto index = wb::safetensors::parseIndex(text, {}, findings);
    if (!index) return 0;
    for (const std::string& file : index->files)
        if (!wb::io::isPlainRelativeName(file)) std::abort();
    for (const wb::safetensors::Mapping& mapping : index->mappings)
        if (mapping.file >= index->files.size()) std::abort();
    return 0;
}
