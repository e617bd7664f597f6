// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/formats/pickle/names.h"
#include "core/formats/tar/tar.h"
#include "core/formats/torch/torch.h"
#include "core/formats/zip/zip.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <memory>

// Archives and compressed streams: everything inside is examined by its content.
namespace wb::scan {
namespace {

std::string inside(const std::string& outer, const std::string& name) { return outer.empty() ? name : outer + "/" + name; }

const char* formatOf(const std::vector<std::string>& names) {
    const auto has = [&](std::string_view end) {
        return std::ranges::any_of(names,
                                   [&](const std::string& name) { return name == end || name.ends_with("/" + std::string(end)); });
    };
    if (torch::isArchive(names)) return has("constants.pkl") ? "torchscript" : "pytorch";
    if (has("archive_format") || has("serialized_exported_program.json")) return "pt2";
    if (has("schema.json")) return "skops";
    if (has("config.json") && has("model.weights.h5")) return "keras";
    const bool isNpz = !names.empty() && std::ranges::all_of(names, [](const std::string& name) { return name.ends_with(".npy"); });
    return isNpz ? "npz" : "";
}

} // namespace

void Examiner::zip(const Item& item) {
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    formats::Findings findings(item.member.empty() ? m_file : item.member, formats::Strictness::Lenient);
    auto archive = zip::readArchive(*item.source, options, findings);
    if (!archive) {
        takeFindings(item, findings);
        return malformed(item, archive.error());
    }
    std::vector<std::string> names;
    for (const zip::Member& member : archive->members) names.push_back(member.name);
    const char* format = formatOf(names);
    ScannedFile own = entry(item, format);
    // torch.load(weights_only=True) takes neither of these.
    if (std::string_view(format) == "torchscript" || std::string_view(format) == "pt2") own.weightsOnlyLoads = 0;
    (void)add(item, std::move(own));
    const std::string outerModules = m_knownModules;
    const bool outerTorch = m_isTorch;
    m_knownModules = std::string_view(format) == "torchscript" ? "__torch__" : "";
    m_isTorch = std::string_view(format) == "pytorch";
    for (const zip::Member& member : archive->members) {
        if (member.isFolder() || !member.data) continue;
        Item within{nullptr, inside(item.member, member.name), item.depth + 1, item.isLoaded};
        if (member.isStored()) {
            within.source = zip::storedMember(item.source, member);
        } else {
            auto content =
                zip::readMember(*item.source, member, std::min<std::uint64_t>(m_options.limits.unpacked, 1ull << 30), findings);
            if (!content) {
                const bool isEncrypted = (member.flags & zip::encryptedFlag) != 0;
                if (isEncrypted) unscannable(within, "archive.encrypted", WB_TEXT("{} is encrypted; nothing is proved about it."));
                else malformed(within, content.error());
                continue;
            }
            within.source = std::make_shared<io::MemorySource>(within.member, std::move(*content));
        }
        if (std::string_view(format) == "skops" && member.name == "schema.json") {
            std::string schema(within.source->size(), '\0');
            if (within.source->readAt(0, std::as_writable_bytes(std::span(schema)))) skops(within, schema);
        }
        if (within.source->size() == 0) continue;
        if (!examine(within) && (member.flags & zip::encryptedFlag) != 0)
            unscannable(within, "archive.encrypted", WB_TEXT("{} is encrypted; nothing is proved about it."));
    }
    for (const io::Extent& gap : archive->gaps) {
        Item between{std::make_shared<io::RangeSource>(item.source, gap, "gap"),
                     inside(item.member, "bytes@" + std::to_string(gap.offset())), item.depth + 1, false};
        (void)examine(between);
    }
    m_knownModules = outerModules;
    m_isTorch = outerTorch;
    takeFindings(item, findings);
}

// A skops file names the class of every object in its schema (skops-dev/skops: skops/io/_audit.py).
void Examiner::skops(const Item& item, const std::string& schema) {
    const auto member = [&](std::size_t at, std::string_view key) -> std::string {
        const std::size_t found = schema.find(key, at);
        const std::size_t open = found == std::string::npos ? found : schema.find('"', schema.find(':', found));
        const std::size_t close = open == std::string::npos ? open : schema.find('"', open + 1);
        return close == std::string::npos ? std::string() : schema.substr(open + 1, close - open - 1);
    };
    ScannedFile file = entry(item, "skops");
    for (std::size_t at = schema.find("\"__class__\""); at != std::string::npos; at = schema.find("\"__class__\"", at + 1)) {
        const std::string name = member(at, "\"__class__\"");
        const std::string module = member(at, "\"__module__\"");
        const DangerLevel level = pickle::levelOf(module, name);
        const auto isKnown = [&](const DangerousName& n) { return n.module == module && n.name == name; };
        if (std::ranges::any_of(file.globals, isKnown)) continue;
        file.level = std::max(file.level, level);
        file.globals.push_back({toUtf8(module), toUtf8(name), level, at});
    }
    const auto globals = file.globals;
    const std::uint32_t index = add(item, std::move(file));
    for (const DangerousName& name : globals)
        if (name.level > DangerLevel::B)
            m_danger.calls.push_back({index, 0, name.position, name.module, name.name, name.level, "import", "", false});
}

void Examiner::tar(const Item& item) {
    formats::OpenOptions options;
    options.limits = m_options.limits;
    formats::Findings findings(item.member.empty() ? m_file : item.member, formats::Strictness::Lenient);
    const auto members = tar::readArchive(*item.source, options, findings);
    if (!members) {
        takeFindings(item, findings);
        return malformed(item, members.error());
    }
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(*members, [&](const tar::Member& member) { return member.name == name; });
    };
    const bool isTorch = has("pickle") && has("storages");
    ScannedFile own = entry(item, isTorch ? "pytorch" : "");
    if (isTorch) own.weightsOnlyLoads = 0; // its loader knows this form no more
    (void)add(item, std::move(own));
    for (const tar::Member& member : *members) {
        if (member.data.length() == 0) continue;
        const Item within{std::make_shared<io::RangeSource>(item.source, member.data, member.name),
                          inside(item.member, member.name), item.depth + 1, item.isLoaded};
        (void)examine(within);
    }
    takeFindings(item, findings);
}

void Examiner::compressed(const Item& item, stream::Kind kind) {
    const std::uint64_t most = std::min<std::uint64_t>(m_options.limits.unpacked, 1ull << 30);
    auto content = stream::unpack(*item.source, kind, most, m_options.progress);
    if (!content || content->empty()) {
        ScannedFile file = entry(item, "");
        file.isMalformed = true;
        (void)add(item, std::move(file));
        return;
    }
    const Item within{std::make_shared<io::MemorySource>(m_file, std::move(*content)), inside(item.member, stream::name(kind)),
                      item.depth + 1, item.isLoaded};
    if (!examine(within)) data(within, "");
}

} // namespace wb::scan
