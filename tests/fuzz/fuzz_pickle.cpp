// SPDX-License-Identifier: MIT
#include "core/formats/pickle/names.h"
#include "core/formats/pickle/report.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wb::pickle;
    const auto bytes = std::as_bytes(std::span(data, size));
    const wb::io::MemorySource source("input.pkl", std::vector(bytes.begin(), bytes.end()));
    Machine machine(source);
    std::uint64_t at = 0;
    for (std::uint32_t number = 0; number < 8 && at < size; ++number) {
        const auto stream = machine.run(at);
        if (!stream || stream->end <= at || stream->end > size) std::abort();
        (void)preview(machine.graph(), stream->root);
        wb::Danger danger;
        wb::ScannedFile file;
        addStream(machine.graph(), *stream, 0, number, 1000, file, danger);
        // What is called tensors only calls nothing beyond list A.
        for (const TraceLine& line : stream->trace) {
            if (line.object >= machine.graph().size() || line.arguments >= machine.graph().size()) std::abort();
            if (stream->level() != wb::DangerLevel::A || !machine.graph().is(line.object, NodeKind::Global)) continue;
            const auto& name = machine.graph().global(line.object);
            if (!line.isBeyondStop && globalDangerLevel(name.module, name.name) != wb::DangerLevel::A) std::abort();
        }
        if (loadsWeightsOnly(machine.graph(), *stream) && stream->level() != wb::DangerLevel::A) std::abort();
        at = stream->end;
    }
    return 0;
}
