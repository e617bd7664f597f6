// SPDX-License-Identifier: MIT
#include "core/formats/torch/recipes.h"
#include "core/formats/torch/torch.h"
#include "core/worker/model_wire.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.pt", std::vector(bytes.begin(), bytes.end()));
    auto model = wb::torch::load(source, {});
    if (!model) {
        if (model.error().message().find("input.pt") == std::string::npos) std::abort();
        return 0;
    }
    // What the worker sends is what it found.
    wb::worker::WireWriter out;
    if (!wb::worker::writeModel(out, *model, wb::torch::recipeWire())) std::abort();
    const auto sent = out.take();
    wb::worker::WireReader in(sent);
    auto received = wb::worker::readModel(in, 1, wb::torch::recipeWire());
    if (!received || received->tensors.size() != model->tensors.size()) std::abort();
    received->files.push_back({"input.pt", size, {}, source});
    wb::fuzz::touchModel(*received);
    return 0;
}
