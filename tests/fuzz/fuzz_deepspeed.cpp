// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/deepspeed.h"
#include "core/formats/deepspeed/layout.h"
#include "core/worker/model_wire.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>
#include <cstring>

namespace {

using namespace wb::deepspeed;

std::uint64_t takeNumber(std::span<const std::uint8_t>& data) {
    std::uint64_t number = 0;
    const std::size_t bytes = std::min<std::size_t>(data.size(), 8);
    std::memcpy(&number, data.data(), bytes);
    data = data.subspan(bytes);
    return number;
}

// Whatever the numbers are: slices stay in their groups, and together they are the parameter.
void checkSlices(const wb::Result<std::vector<Slice>>& slices, std::uint64_t elements, const std::vector<std::uint64_t>& groups,
                 std::uint32_t world) {
    if (!slices) return;
    std::uint64_t sum = 0;
    for (const Slice& slice : *slices) {
        if (slice.count == 0 || slice.rank >= world || slice.group >= groups.size()) std::abort();
        const std::uint64_t size = groups[slice.group];
        if (slice.first > size || slice.count > size - slice.first) std::abort();
        sum += slice.count;
    }
    if (sum != elements) std::abort();
}

void checkLayout(std::span<const std::uint8_t> data) {
    const auto world = static_cast<std::uint32_t>(takeNumber(data));
    std::vector<std::uint64_t> groups(takeNumber(data) % 8);
    for (std::uint64_t& group : groups) group = takeNumber(data);
    const auto partitions = Partitions::make(world, groups);
    if (!partitions) return;
    while (!data.empty()) {
        const std::uint64_t offset = takeNumber(data);
        const std::uint64_t elements = takeNumber(data);
        constexpr std::uint64_t most = 10'000;
        checkSlices(partitions->acrossRanks(offset, elements, most), elements, groups, world);
        checkSlices(partitions->alongRanks(static_cast<std::uint32_t>(elements % 9), offset, elements, most), elements, groups,
                    world);
    }
}

// Files of a checkpoint, one after the other with a separator between them.
void checkFiles(std::span<const std::uint8_t> data) {
    static constexpr std::string_view separator = "WBSPLIT!";
    static constexpr const char* names[] = {
        "zero_pp_rank_0_mp_rank_00_model_states.pt", "zero_pp_rank_0_mp_rank_00_optim_states.pt",
        "zero_pp_rank_1_mp_rank_00_model_states.pt", "zero_pp_rank_1_mp_rank_00_optim_states.pt", "mp_rank_00_model_states.pt"};
    std::string_view rest(reinterpret_cast<const char*>(data.data()), data.size());
    wb::formats::Sources sources;
    for (const char* name : names) {
        const std::size_t end = rest.find(separator);
        const auto part = std::as_bytes(std::span(rest.substr(0, end)));
        sources.push_back(std::make_shared<wb::io::MemorySource>(name, std::vector(part.begin(), part.end())));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
    }
    auto index = readIndex(sources, {}, {});
    if (!index) return;
    // What the worker sends is what it found.
    wb::worker::WireWriter out;
    if (!wb::worker::writeModel(out, index->model)) std::abort();
    const auto sent = out.take();
    wb::worker::WireReader in(sent);
    const auto received = wb::worker::readModel(in, static_cast<std::uint32_t>(sources.size() + 1));
    if (!received || received->tensors.size() != index->model.tensors.size() || !received->checkpoint) std::abort();
    wb::fuzz::touchModel(wb::formats::modelFromIndex(std::move(*index), sources));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(data, size);
    if (bytes.empty()) return 0;
    if (bytes[0] == 0) checkLayout(bytes.subspan(1));
    else checkFiles(bytes.subspan(1));
    return 0;
}
