// SPDX-License-Identifier: MIT
// A config.json up to the first NUL, then a safetensors file.
#include "core/formats/json/json.h"
#include "core/formats/quantized/quantized.h"
#include "core/formats/safetensors/safetensors.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return 0;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(end + 1);
    const auto source = std::make_shared<wb::io::MemorySource>("input.safetensors", std::vector(bytes.begin(), bytes.end()));
    const auto opened = wb::safetensors::open(source, {});
    if (!opened) return 0;
    std::vector<wb::Problem> problems;
    const auto config = wb::json::parse(text.substr(0, end), "config.json", {}, problems);
    wb::Model model = **opened;
    if (!wb::quantized::addLogicalTensors(model, "", config ? &*config : nullptr, {})) std::abort();
    // Every weight that is added can be opened, and its first and last elements read or be refused.
    for (const wb::TensorInfo& tensor : model.tensors) {
        if (!tensor.logical || !tensor.isReadable()) continue;
        const auto reader = wb::TensorReader::open(model, tensor);
        if (!reader) continue;
        std::vector<float> values(std::min<std::uint64_t>(reader->elements(), 3000));
        std::vector<std::byte> scratch;
        static_cast<void>(reader->readF32(reader->elements() - values.size(), values, scratch));
    }
    wb::fuzz::touchModel(model);
    return 0;
}
