// SPDX-License-Identifier: MIT
#include "core/infer/finish_reason.h"

#include <algorithm>
#include <array>

namespace wb::infer {
namespace {

constexpr std::array<std::string_view, 8> finishReasonNames = {"",        "eos",     "length", "stop string",
                                                               "context", "stopped", "budget", "error"};

} // namespace

const char* finishReasonName(FinishReason reason) { return finishReasonNames[static_cast<std::size_t>(reason)].data(); }

std::optional<FinishReason> findFinishReason(std::string_view name) {
    const auto found = std::ranges::find(finishReasonNames, name);
    if (found == finishReasonNames.end()) return std::nullopt;
    return static_cast<FinishReason>(found - finishReasonNames.begin());
}

} // namespace wb::infer
