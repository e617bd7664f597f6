// SPDX-License-Identifier: MIT
#include "core/formats/torch/recipes.h"
#include "core/model/danger.h"
#include "core/worker/model_wire.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

// What a worker answers that somebody took over: a model, an error, a danger.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.pt", std::vector<std::byte>(4096));
    wb::worker::WireReader in(bytes);
    auto model = wb::worker::readModel(in, 1, wb::torch::recipeWire());
    if (model) {
        model->files.push_back({"input.pt", source->size(), {}, source});
        for (const wb::TensorInfo& tensor : model->tensors)
            if (tensor.file() != wb::noFile && tensor.file() != 0) std::abort();
        wb::fuzz::touchModel(*model);
    }
    wb::worker::WireReader error(bytes);
    (void)error.error().message();
    wb::worker::WireReader danger(bytes);
    const auto report = wb::worker::readDanger(danger);
    for (const wb::DangerousCall& call : report->calls)
        if (danger.good() && call.file >= report->files.size()) std::abort();
    (void)report->verdict();
    return 0;
}
