// SPDX-License-Identifier: MIT
// What the worker does with an OpenVINO network, whose .bin file is the same bytes.
#include "core/formats/openvino/openvino.h"
#include "core/formats/packed/packed.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchWithNeighbor({data, size}, "input.xml", wb::openvino::readIndex, wb::packed::unpack);
}
