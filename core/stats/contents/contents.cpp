// SPDX-License-Identifier: MIT
#include "core/stats/contents/contents.h"

#include "core/jobs/thread_pool.h"

#include <algorithm>

namespace wb::stats {
namespace {

constexpr std::size_t chunk = 4096; // names a thread reads at a time

void readNames(const Model& model, std::size_t first, std::vector<TensorFacts>& facts) {
    const std::string_view architecture = model.architecture ? std::string_view(*model.architecture) : std::string_view();
    for (std::size_t i = first; i < std::min(first + chunk, facts.size()); ++i) {
        const std::string& name = model.tensors[i].name;
        const arch::RoleAndPart meaning = arch::tensorRoleAndPart(name, architecture);
        facts[i] = {meaning.role, meaning.part, arch::tensorLayer(name)};
    }
}

} // namespace

double Contents::share(std::uint32_t index) const {
    if (tensor(index).isUncounted() || totalBytes == 0) return 0;
    return static_cast<double>(tensor(index).bytes()) / static_cast<double>(totalBytes);
}

bool Contents::hasFinding(std::uint32_t index) const {
    if (!tensor(index).source.unavailableWhy().empty()) return true;
    const TensorStats* known = statistics(index);
    return known && (known->nan > 0 || known->inf > 0);
}

Contents modelContents(ModelPtr model, unsigned threads) {
    Contents contents;
    contents.facts.resize(model->tensors.size());
    contents.stats.resize(model->tensors.size());
    contents.totalBytes = model->tensorBytes();
    const std::uint64_t chunks = (model->tensors.size() + chunk - 1) / chunk;
    const auto ended = jobs::parallelFor(chunks, threads, {}, [&](std::uint64_t i) -> Result<void> {
        readNames(*model, i * chunk, contents.facts);
        return {};
    });
    (void)ended; // it cannot be stopped, and reading a name cannot fail
    contents.model = std::move(model);
    return contents;
}

} // namespace wb::stats
