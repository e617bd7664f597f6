// SPDX-License-Identifier: MIT
// The directory and the configuration of a NeMo archive; its weights are PyTorch's (fuzz_torch).
#include "core/formats/nemo/nemo.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* const begin = reinterpret_cast<const std::byte*>(data);
    const wb::io::MemorySource source("input.nemo", std::vector<std::byte>(begin, begin + size));
    wb::formats::Findings findings("input.nemo", wb::formats::Strictness::Lenient);
    const auto archive = wb::nemo::readArchive(source, {}, findings);
    if (archive && archive->weights.end() > size) __builtin_trap();
    return 0;
}
