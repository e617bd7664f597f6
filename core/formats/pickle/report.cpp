// SPDX-License-Identifier: MIT
#include "core/formats/pickle/report.h"

#include "core/base/text.h"
#include "core/formats/pickle/names.h"

#include <algorithm>
#include <map>
#include <set>

namespace wb::pickle {
namespace {

constexpr std::size_t maxCalls = 100'000;

// The innermost name of a call: of the result of a call that of the call.
NodeId nameBelow(const Graph& graph, NodeId object) {
    for (int depth = 0; depth < 64 && graph.is(object, NodeKind::Call); ++depth) object = graph.callee(object);
    return graph.nodeClass(object);
}

DangerousCall lineCall(const Graph& graph, const TraceLine& line, std::uint32_t file, std::uint32_t stream) {
    DangerousCall call;
    call.file = file;
    call.stream = stream;
    call.position = line.position;
    const NodeId name = nameBelow(graph, line.object);
    if (graph.is(name, NodeKind::Global)) {
        call.module = toUtf8(graph.global(name).module);
        call.name = toUtf8(graph.global(name).name);
    }
    call.level = line.level;
    call.how = actName(line.act);
    if (line.arguments != unknownNode) call.arguments = preview(graph, line.arguments);
    call.isBeyondStop = line.isBeyondStop;
    return call;
}

} // namespace

void addStream(const Graph& graph, const Stream& stream, std::uint32_t index, std::uint32_t number, std::size_t maxHarmless,
               ScannedFile& file, Danger& danger) {
    file.level = std::max(file.level, stream.level());
    file.streams = number + 1;
    file.opcodes += stream.opcodes;
    std::set<std::pair<std::string_view, std::string_view>> known;
    std::size_t harmless = 0;
    for (const TraceLine& line : stream.trace) {
        const bool isImport = line.act == Act::Import || line.act == Act::Extension;
        if (isImport && graph.is(line.object, NodeKind::Global)) {
            const GlobalName& name = graph.global(line.object);
            if (known.emplace(name.module, name.name).second)
                file.globals.push_back({toUtf8(name.module), toUtf8(name.name), line.level, line.position});
        }
        const bool isHarmless = line.level <= DangerLevel::B;
        if ((isHarmless && (isImport || harmless >= maxHarmless)) || danger.calls.size() >= maxCalls) continue;
        harmless += isHarmless ? 1 : 0;
        danger.calls.push_back(lineCall(graph, line, index, number));
    }
}

bool loadsWeightsOnly(const Graph& graph, const Stream& stream) {
    if (!stream.isComplete || stream.firstForeign != 0 || stream.breaksWeightsOnly) return false;
    return std::ranges::all_of(stream.trace, [&](const TraceLine& line) {
        if (line.level != DangerLevel::A) return false;
        if (!graph.is(line.object, NodeKind::Global)) return false;
        const GlobalName& name = graph.global(line.object);
        // What list A has beyond the list of PyTorch.
        return !name.module.starts_with("numpy") && name.module != "torch.jit._pickle" && name.name != "frozenset" &&
               name.name != "_rebuild_nested_tensor" && name.name != "_load_from_bytes";
    });
}

} // namespace wb::pickle
