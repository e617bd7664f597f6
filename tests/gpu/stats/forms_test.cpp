// SPDX-License-Identifier: MIT
#include "gpu_stats.h"
#include "tests/unit/support/forms.h"
#include "tests/unit/support/support.h"

namespace wb::gpu {
namespace {

class GpuForms : public test::GpuStatsTest {};

TEST_F(GpuForms, HaveTheSameStatistics) {
    const test::TemporaryFolder folder;
    test::writeForms(folder.path());
    const ModelPtr model = test::openForms(folder.path());
    for (const char* form : test::readableForms)
        expectLikeCpu(TensorReader::open(*model, test::formTensor(*model, form)).value(), form);
}

} // namespace
} // namespace wb::gpu
