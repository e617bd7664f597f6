// SPDX-License-Identifier: MIT
#include "core/formats/npy/npy.h"
#include "core/formats/zip/zip.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

// Deflated members need a worker, which a fuzz target is not: they are refused here, and zip has a target of its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.npy", std::vector(bytes.begin(), bytes.end()));
    wb::formats::OpenOptions options;
    const auto openOne = [&] {
        return wb::zip::sniff(bytes) ? wb::npy::openArchive(source, options) : wb::npy::open(source, options);
    };
    const auto lenient = openOne();
    if (lenient) wb::fuzz::touchModel(**lenient);
    options.strictness = wb::formats::Strictness::Strict;
    const auto strict = openOne();
    if (strict && !lenient) std::abort();
    if (!lenient && lenient.error().message().find("input.npy") == std::string::npos) std::abort();
    return 0;
}
