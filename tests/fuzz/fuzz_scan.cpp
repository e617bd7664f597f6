// SPDX-License-Identifier: MIT
#include "core/scan/scan.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.pkl", std::vector(bytes.begin(), bytes.end()));
    const wb::Danger danger = wb::scan::scanSource(source, {});
    if (danger.files.empty()) std::abort(); // everything gets a verdict
    for (const wb::DangerousCall& call : danger.calls) {
        if (call.file >= danger.files.size()) std::abort();
        if (call.level == wb::DangerLevel::D && !call.isBeyondStop && danger.verdict() == wb::Verdict::Clean) std::abort();
    }
    for (const wb::DangerFinding& finding : danger.findings)
        if (finding.problem.message().empty()) std::abort();
    return 0;
}
