// SPDX-License-Identifier: MIT
#include "gpu/device/device.h"
#include "gpu/device/instance.h"

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

std::unexpected<Error> none() {
    return fail(ErrorCode::NotFound, WB_TEXT("There is no graphics device here that can compute; the CPU can do it."));
}

template <typename Wanted>
Result<DevicePtr> openFirst(Wanted wanted) {
    WB_TRY_ASSIGN(const auto instance, Instance::get());
    const auto found = std::ranges::find_if(instance->devices(), wanted, &Instance::Found::info);
    if (found == instance->devices().end()) return none();
    if (!found->info.usable)
        return fail(ErrorCode::Unsupported, WB_TEXT("The graphics device {} cannot be used, it lacks {}; choose another one or the CPU."),
                    found->info.name, found->info.lacks);
    return share(instance, *found);
}

} // namespace

Result<DevicePtr> openBest(Accept accept) {
    return openFirst([accept](const DeviceInfo& info) { return info.usable && (accept == Accept::AlsoSoftware || !info.software()); });
}

Result<DevicePtr> openAt(unsigned index) {
    auto device = openFirst([index](const DeviceInfo& info) { return info.index == index; });
    if (!device && device.error().code == ErrorCode::NotFound)
        return fail(ErrorCode::NotFound, WB_TEXT("There is no graphics device with the number {}; wb devices lists what there is."), index);
    return device;
}

Result<DevicePtr> openId(const std::string& id) {
    return openFirst([&id](const DeviceInfo& info) { return info.id == id; });
}

} // namespace wb::gpu
