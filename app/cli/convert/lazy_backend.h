// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "gpu/compute/quantizer.h"

#include <string>

namespace wb::cli {

// Who quantizes, opened when the first work for it exists: a plan alone loads no Vulkan.
class LazyBackend {
public:
    explicit LazyBackend(const Context& context) : m_context(context), m_device(context.device) {}

    // An Error where the user named a device that cannot be used.
    Result<void> requireNamed() const {
        const auto required = m_device.requireNamed();
        if (!required) return std::unexpected(named(deviceOption(m_context), required.error()));
        return {};
    }

    // The same Error.
    Result<std::shared_ptr<quant::Backend>> get() {
        WB_TRY(requireNamed());
        if (!m_backend) m_backend = gpu::compute::makeQuantizer(m_device, m_context.threads);
        return m_backend;
    }

    std::string name() const { return m_backend ? m_backend->name() : "cpu"; }
    std::vector<Problem> remarks() const { return m_backend ? m_backend->remarks() : std::vector<Problem>(); }

private:
    const Context& m_context;
    gpu::compute::ComputeDevice m_device;
    std::shared_ptr<quant::Backend> m_backend;
};

} // namespace wb::cli
