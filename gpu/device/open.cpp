// SPDX-License-Identifier: MIT
#include "gpu/device/choice.h"

#include <algorithm>

namespace wb::gpu {
namespace {

Result<DevicePtr> share(const std::shared_ptr<Instance>& instance, const Instance::Found& found) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Device>> open;
    const std::lock_guard lock(mutex);
    std::weak_ptr<Device>& slot = open[found.info.id + found.info.name];
    if (DevicePtr device = slot.lock()) {
        if (device->hung())
            return fail(ErrorCode::DeviceLost,
                        WB_TEXT("The graphics device {} does not answer any more; restart the program to use it again."),
                        found.info.name);
        if (!device->lost()) return device;
    }
    WB_TRY_ASSIGN(DevicePtr device, Device::create(instance, found.handle, found.info));
    slot = device;
    return device;
}

using Listed = std::span<const Instance::Found>;

// `none` is the refusal where there is no such device.
template <typename Choose>
Result<DevicePtr> openChosen(Choose choose, const std::unexpected<Error>& none) {
    WB_TRY_ASSIGN(const auto instance, Instance::get());
    const Instance::Found* found = choose(instance->devices());
    if (found == nullptr) return none;
    if (!found->info.usable)
        return fail(ErrorCode::Unsupported, WB_TEXT("The graphics device {} cannot be used, it lacks {}; choose another one or the CPU."),
                    found->info.name, found->info.lacks);
    return share(instance, *found);
}

template <typename Wanted>
auto firstThat(Wanted wanted) {
    return [wanted](Listed devices) -> const Instance::Found* {
        const auto found = std::ranges::find_if(devices, wanted, &Instance::Found::info);
        return found == devices.end() ? nullptr : &*found;
    };
}

} // namespace

Result<DevicePtr> openBest(Accept accept) {
    return openChosen([accept](Listed devices) { return bestOf(devices, accept); },
                      fail(ErrorCode::NotFound, WB_TEXT("There is no graphics device here that can compute; the CPU can do it.")));
}

Result<DevicePtr> openAt(unsigned index) {
    return openChosen(
        firstThat([index](const DeviceInfo& info) { return info.index == index; }),
        fail(ErrorCode::NotFound, WB_TEXT("There is no graphics device with the number {}; wb devices lists what there is."), index));
}

Result<DevicePtr> openId(const std::string& id) {
    return openChosen(firstThat([&id](const DeviceInfo& info) { return info.id == id; }),
                      fail(ErrorCode::NotFound, WB_TEXT("The chosen graphics device is not here; choose another one or the CPU.")));
}

} // namespace wb::gpu
