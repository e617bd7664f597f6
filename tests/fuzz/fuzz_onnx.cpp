// SPDX-License-Identifier: MIT
// What the worker does with an ONNX file.
#include "core/formats/onnx/index.h"
#include "core/formats/onnx/onnx.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.onnx", std::vector(bytes.begin(), bytes.end()));
    static_cast<void>(wb::onnx::sniff(*source));
    auto index = wb::onnx::readIndex(*source, {});
    if (!index) {
        if (index.error().message().find("input.onnx") == std::string::npos) std::abort();
        return 0;
    }
    wb::Model& model = index->model;
    model.files.push_back({"input.onnx", source->size(), {}, source});
    auto copied = std::make_shared<wb::io::MemorySource>("copied", std::move(index->copied));
    model.files.push_back({"copied", copied->size(), {}, copied});
    for (const std::string& name : index->external) model.files.push_back({name, 0, {}, copied});
    wb::fuzz::touchModel(model);
    return 0;
}
