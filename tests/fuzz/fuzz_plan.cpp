// SPDX-License-Identifier: MIT
#include "core/convert/quantize/plan_file.h"

#include <cstdlib>

// Plan files come from anybody. What is accepted names known types only.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto plan = wb::quantize::parsePlan(text, "input.plan.json");
    if (!plan) return 0;
    for (const auto& [name, type] : plan->request.types)
        if (type == wb::Dtype::Unknown || type >= wb::Dtype::Count) std::abort();
    if (!plan->matrix.include.empty() && !plan->matrix.exclude.empty()) std::abort();
    return 0;
}
