// SPDX-License-Identifier: MIT
#include "gpu/compute/compute_device.h"

namespace wb::gpu::compute {
namespace {

constexpr unsigned maxLosses = 3; // after which a device counts as broken

} // namespace

Result<DevicePtr> ChosenDevice::device() {
    const std::lock_guard lock(m_mutex);
    if (m_failure) return std::unexpected(*m_failure);
    if (m_device && !m_device->lost()) return m_device;
    if (m_device && ++m_losses == maxLosses) {
        m_failure = std::exchange(m_device, nullptr)->lossError();
        return std::unexpected(*m_failure);
    }
    m_device.reset();
    auto opened = m_open(m_choice);
    if (opened) m_device = *opened;
    else if (opened.error().code != ErrorCode::TooLarge) m_failure = opened.error();
    return opened;
}

ComputeDevice::ComputeDevice(DeviceRef choice, ChosenDevice::Open open) : m_open(std::move(open)) { choose(std::move(choice)); }

void ComputeDevice::choose(DeviceRef choice) {
    auto chosen = std::make_shared<ChosenDevice>(std::move(choice), m_open);
    const std::lock_guard lock(m_mutex);
    m_chosen = std::move(chosen);
}

std::shared_ptr<ChosenDevice> ComputeDevice::chosen() const {
    const std::lock_guard lock(m_mutex);
    return m_chosen;
}

Result<void> ComputeDevice::requireNamed() const {
    const auto chosen = this->chosen();
    if (chosen->choice().isAutomatic()) return {};
    WB_TRY(chosen->device());
    return {};
}

} // namespace wb::gpu::compute
