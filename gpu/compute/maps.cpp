// SPDX-License-Identifier: MIT
#include "gpu/compute/maps.h"

#include "core/stats/map/map_build.h"
#include "gpu/heatmap/map_builder.h"

namespace wb::gpu::compute {
namespace {

class Maps final : public stats::MapBackend {
public:
    explicit Maps(const ComputeDevice& device) : m_device(device), m_cpu(stats::makeCpuMapBackend()) {}

    const char* name() const override { return "chosen"; }

    Result<stats::TensorMap> build(const stats::MapInput& input, const stats::Matrix& matrix, const Progress& progress) override {
        WB_TRY(stats::checkInput(input, matrix));
        if (!canBuildMap(input, matrix)) return m_cpu->build(input, matrix, progress);
        const auto chosen = m_device.chosen();
        const auto device = chosen->device();
        if (!device) return fallBack(chosen->choice(), device.error(), input, matrix, progress);
        if (*device == nullptr || !fitsMapBand((*device)->info(), matrix)) return m_cpu->build(input, matrix, progress);
        auto map = buildMap(*device, *input.tensor, matrix, progress);
        if (map || !isOfDevice(map.error())) return map;
        return fallBack(chosen->choice(), map.error(), input, matrix, progress);
    }

private:
    Result<stats::TensorMap> fallBack(const DeviceRef& choice, const Error& error, const stats::MapInput& input,
                                      const stats::Matrix& matrix, const Progress& progress) {
        WB_TRY_ASSIGN(stats::TensorMap map, m_cpu->build(input, matrix, progress));
        const Problem remark = fallbackRemark(choice, error);
        if (remark.severity != Severity::Note) map.note = remark;
        return map;
    }

    const ComputeDevice& m_device;
    std::unique_ptr<stats::MapBackend> m_cpu;
};

} // namespace

std::unique_ptr<stats::MapBackend> makeMaps(const ComputeDevice& device) { return std::make_unique<Maps>(device); }

} // namespace wb::gpu::compute
