// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/tar/tar.h"
#include "core/formats/zip/stack.h"
#include "core/formats/torch/torch.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <memory>

// Archives and compressed streams: everything inside is examined by its content.
namespace wb::scan {
namespace {

std::string inside(const std::string& outer, const std::string& name) { return outer.empty() ? name : outer + "/" + name; }

const char* namesFormat(const std::vector<std::string>& names) {
    const auto has = [&](std::string_view end) {
        return std::ranges::any_of(names,
                                   [&](const std::string& name) { return name == end || name.ends_with("/" + std::string(end)); });
    };
    if (has("archive_format") || has("serialized_exported_program.json")) return "pt2"; // which may hold a pickle, too
    if (torch::isArchive(names)) return has("constants.pkl") ? "torchscript" : "pytorch";
    if (has("schema.json")) return "skops";
    if (has("config.json") && has("model.weights.h5")) return "keras";
    const bool isNpz = !names.empty() && std::ranges::all_of(names, [](const std::string& name) { return name.ends_with(".npy"); });
    return isNpz ? "npz" : "";
}

bool endsWith(const std::vector<std::string>& names, std::string_view end) {
    return std::ranges::any_of(names, [&](const std::string& name) { return name.ends_with(end); });
}

// Where torch keeps the bytes of storages and constants (pytorch/pytorch: caffe2/serialize/inline_container.h,
// torch/export/pt2_archive/constants.py), and tar archives of its first years theirs.
bool holdsValues(std::string_view format, std::string_view member) {
    if (format != "pytorch" && format != "torchscript" && format != "pt2") return false;
    std::string_view name = member.substr(member.rfind('/') + 1);
    if (name.ends_with(".storage")) name.remove_suffix(8); // of PyTorch Mobile's first archives
    const bool isNumbered = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    const auto isIn = [&](std::string_view folder) {
        return member.find("/" + std::string(folder) + "/") != std::string_view::npos ||
               member.starts_with(std::string(folder) + "/");
    };
    return (isNumbered && (isIn("data") || isIn("constants") || isIn("tensors"))) ||
           (isIn("data/weights") || isIn("data/constants"));
}

} // namespace

// Loaders written in Python unpack more methods than formats use (PKWARE APPNOTE 4.4.5).
Result<std::vector<std::byte>> Examiner::unpackMember(const Item& item, const zip::Member& member, formats::Findings& findings) {
    const std::uint64_t most = std::min<std::uint64_t>(m_options.limits.unpacked, 1ull << 30);
    stream::StreamKind kind = stream::StreamKind::None;
    if (member.method == 12) kind = stream::StreamKind::Bzip2;
    if (member.method == 93) kind = stream::StreamKind::Zstd;
    if (member.method == 95) kind = stream::StreamKind::Xz;
    if (kind == stream::StreamKind::None || !member.data) return zip::readMember(*item.source, member, most, findings);
    const io::RangeSource packed(item.source, *member.data, m_file);
    return stream::unpack(packed, kind, most, m_options.progress);
}

// Each archive for itself: whichever of them a reader takes, it was scanned.
bool Examiner::stack(const Item& item) {
    const auto archives = zip::stackedArchives(*item.source);
    if (!archives || archives->empty()) return false;
    (void)add(item, entry(item, "pytorch"));
    for (const io::Extent& archive : *archives) {
        const std::string place = "archive@" + std::to_string(archive.offset());
        zip({std::make_shared<io::RangeSource>(item.source, archive, place), inside(item.member, place), item.depth + 1,
             item.isLoaded});
    }
    return true;
}

void Examiner::zip(const Item& item) {
    if (stack(item)) return;
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    formats::Findings findings(item.member.empty() ? m_file : item.member, formats::Strictness::Lenient);
    auto archive = zip::readArchive(*item.source, options, findings);
    if (!archive) {
        takeFindings(item, findings);
        malformed(item, archive.error());
        const auto index = static_cast<std::uint32_t>(m_danger.files.size() - 1);
        if (item.isLoaded) findReferences(item, 0, index, m_danger.files[index]);
        return;
    }
    std::vector<std::string> names;
    for (const zip::Member& member : archive->members) names.push_back(member.name);
    const char* format = namesFormat(names);
    ScannedFile own = entry(item, format);
    // torch.load(weights_only=True) takes neither of these.
    if (std::string_view(format) == "torchscript" || std::string_view(format) == "pt2") own.weightsOnlyLoads = 0;
    (void)add(item, std::move(own));
    const std::size_t firstMember = m_danger.files.size();
    const std::string outerModules = m_knownModules;
    const bool outerTorch = m_isTorch;
    m_knownModules = std::string_view(format) == "torchscript" ? "__torch__" : "";
    m_isTorch = std::string_view(format) == "pytorch";
    for (const zip::Member& member : archive->members) {
        if (member.isFolder() || !member.data) continue;
        Item within{nullptr, inside(item.member, member.name), item.depth + 1, item.isLoaded, holdsValues(format, member.name)};
        if (member.isStored()) {
            within.source = zip::storedMember(item.source, member);
        } else {
            auto content = unpackMember(item, member, findings);
            if (!content) {
                const bool isEncrypted = (member.flags & zip::encryptedFlag) != 0;
                if (isEncrypted) unscannable(within, "archive.encrypted", WB_TEXT("{} is encrypted and cannot be analyzed."));
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
        within.isEncrypted = (member.flags & zip::encryptedFlag) != 0;
        examine(within);
    }
    for (const io::Extent& gap : archive->gaps) {
        Item between{std::make_shared<io::RangeSource>(item.source, gap, "gap"),
                     inside(item.member, "bytes@" + std::to_string(gap.offset())), item.depth + 1, false, true};
        examine(between);
    }
    if (endsWith(names, ".data/extern_modules")) package(item, firstMember);
    m_knownModules = outerModules;
    m_isTorch = outerTorch;
    takeFindings(item, findings);
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
                          inside(item.member, member.name), item.depth + 1, item.isLoaded,
                          isTorch && (member.name == "tensors" || member.name == "storages")};
        examine(within);
    }
    takeFindings(item, findings);
}

bool Examiner::compressed(const Item& item, stream::StreamKind kind) {
    const std::uint64_t most = std::min<std::uint64_t>(m_options.limits.unpacked, 1ull << 30);
    auto content = stream::unpack(*item.source, kind, most, m_options.progress);
    if ((!content || content->empty()) && kind == stream::StreamKind::Zlib) return false;
    if (!content || content->empty()) {
        ScannedFile file = entry(item, "");
        file.isMalformed = true;
        (void)add(item, std::move(file));
        return true;
    }
    const Item within{std::make_shared<io::MemorySource>(m_file, std::move(*content)), inside(item.member, stream::name(kind)),
                      item.depth + 1, item.isLoaded};
    examine(within);
    return true;
}

// torch.package keeps Python modules next to the pickles, and imports them when something is loaded
// (pytorch/pytorch: torch/package/package_importer.py).
void Examiner::package(const Item& item, std::size_t first) {
    std::string names;
    DangerLevel worst = DangerLevel::C;
    for (std::size_t i = first; i < m_danger.files.size(); ++i) {
        if (m_danger.files[i].format != "python") continue;
        takeAsCode(m_danger, i, "torch.package");
        worst = std::max(worst, m_danger.files[i].level);
        names += (names.empty() ? "" : ", ") + m_danger.files[i].member;
    }
    if (names.empty()) return;
    find(item, worst == DangerLevel::D ? Severity::Error : Severity::Warning, "torch.package", std::nullopt,
         WB_TEXT("{} is a torch.package archive, whose Python code runs when something is loaded from it: {}."), {names});
}

} // namespace wb::scan
