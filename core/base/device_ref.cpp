// SPDX-License-Identifier: MIT
#include "core/base/device_ref.h"

#include <charconv>
#include <optional>

namespace wb {
namespace {

constexpr std::string_view numbered = "gpu:";

std::optional<unsigned> numberFromText(std::string_view text) {
    if (!text.starts_with(numbered) || text.size() > numbered.size() + 3) return std::nullopt;
    text.remove_prefix(numbered.size());
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

DeviceRef deviceFromText(std::string_view text) {
    using Kind = DeviceRef::Kind;
    if (text.empty() || text == "auto") return {};
    if (text == "cpu") return {Kind::Processor};
    if (text == "gpu") return {Kind::Best};
    if (const auto number = numberFromText(text))
        return *number == 0 ? DeviceRef{Kind::Processor} : DeviceRef{Kind::Number, *number};
    return {Kind::Id, 0, std::string(text)};
}

std::string deviceText(const DeviceRef& device) {
    switch (device.kind) {
    case DeviceRef::Kind::Processor: return "cpu";
    case DeviceRef::Kind::Best: return "gpu";
    case DeviceRef::Kind::Number: return std::string(numbered) + std::to_string(device.number);
    case DeviceRef::Kind::Id: return device.id;
    case DeviceRef::Kind::Automatic: break;
    }
    return "auto";
}

} // namespace wb
