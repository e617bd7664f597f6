// SPDX-License-Identifier: MIT
#include "gpu/device/open.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace wb::gpu {
namespace {

Result<DevicePtr> share(const Instance::Found& found) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Device>> open;
    const std::lock_guard lock(mutex);
    std::weak_ptr<Device>& slot = open[found.info.id + found.info.name];
    if (DevicePtr device = slot.lock(); device && !device->lost()) return device;
    WB_TRY_ASSIGN(DevicePtr device, Device::create(found.handle, found.info));
    slot = device;
    return device;
}

using Listed = std::span<const Instance::Found>;

// `none` is the refusal where there is not such a device.
template <typename Choose>
Result<DevicePtr> openChosen(Choose choose, const std::unexpected<Error>& none) {
    WB_TRY_ASSIGN(const auto instance, Instance::get());
    const Instance::Found* found = choose(instance->devices());
    if (found == nullptr) return none;
    if (!found->info.usable)
        return fail(ErrorCode::Unsupported, Reason("device.unusable"),
                    WB_TEXT("The GPU {} cannot be used because it lacks {}; choose another device or the CPU."), found->info.name,
                    found->info.lacks);
    return share(*found);
}

template <typename Wanted>
auto firstThat(Wanted wanted) {
    return [wanted](Listed devices) -> const Instance::Found* {
        const auto found = std::ranges::find_if(devices, wanted, &Instance::Found::info);
        return found == devices.end() ? nullptr : &*found;
    };
}

} // namespace

const Instance::Found* bestDevice(Listed devices, DeviceFilter among) {
    const auto isCandidate = [among](const DeviceInfo& info) { return among == DeviceFilter::All || !info.software(); };
    const auto isUsable = [&](const DeviceInfo& info) { return info.usable && isCandidate(info); };
    const auto* found = firstThat(isUsable)(devices);
    return found != nullptr ? found : firstThat(isCandidate)(devices);
}

Result<DevicePtr> openBest(DeviceFilter among) {
    return openChosen([among](Listed devices) { return bestDevice(devices, among); },
                      fail(ErrorCode::NotFound, Reason("device.none"), WB_TEXT("No usable GPU found; the CPU is used.")));
}

Result<DevicePtr> openAt(unsigned index) {
    return openChosen(firstThat([index](const DeviceInfo& info) { return info.index == index; }),
                      fail(ErrorCode::NotFound, Reason("device.none"),
                           WB_TEXT("There is no GPU number {}; run wb devices to list them."), index));
}

Result<DevicePtr> openId(const std::string& id) {
    return openChosen(firstThat([&id](const DeviceInfo& info) { return info.id == id; }),
                      fail(ErrorCode::NotFound, Reason("device.none"),
                           WB_TEXT("The selected GPU is not available; choose another device or the CPU.")));
}

} // namespace wb::gpu
