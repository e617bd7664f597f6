// SPDX-License-Identifier: MIT
#include "core/formats/json/json.h"
#include "core/formats/keras/keras.h"
#include "core/formats/zip/zip.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <array>

namespace wb::keras {
namespace {

constexpr const char* weightsMember = "model.weights.h5";
constexpr formats::Tasks taskNames{"keras.index", "keras.unpack"};

constexpr const char* memberTask = "keras.member";

// Where a compressed member lies and how long it is.
std::vector<std::byte> memberSpec(const zip::Member& member) {
    worker::WireWriter out;
    out.u32(member.method);
    out.u32(member.crc);
    out.u64(member.data->offset());
    out.u64(member.packedBytes);
    out.u64(member.bytes);
    return out.take();
}

Result<void> unpackMember(const io::ByteSource& archive, std::span<const std::byte> spec, std::uint64_t offset,
                          std::span<std::byte> out) {
    worker::WireReader in(spec);
    zip::Member member;
    member.name = weightsMember;
    member.method = static_cast<std::uint16_t>(in.u32());
    member.crc = in.u32();
    const std::uint64_t begin = in.u64();
    member.packedBytes = in.u64();
    member.bytes = in.u64();
    member.data = io::Extent::make(archive.size(), begin, member.packedBytes);
    formats::Findings findings(archive.name(), formats::Strictness::Lenient);
    constexpr std::uint64_t maxUnpacked = 4ull << 30;
    WB_TRY_ASSIGN(const auto bytes, zip::readMember(archive, member, maxUnpacked, findings));
    if (!io::Extent::make(bytes.size(), offset, out.size()))
        return findings.refuse(ErrorCode::Malformed, "keras.member", WB_TEXT("{}: an entry does not decompress to its size."));
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return {};
}

// A member of the archive as a file of the model; compressed ones are unpacked by a worker when they are read.
formats::OpenedFile openMember(const std::shared_ptr<io::ByteSource>& archive, const zip::Member& member) {
    std::shared_ptr<io::ByteSource> source;
    if (member.isStored()) source = std::make_shared<io::RangeSource>(archive, *member.data, member.name);
    else source = formats::makeUnpacked(memberTask, archive, member.name, memberSpec(member), member.bytes);
    ModelFile file{archive->name() + "/" + member.name, source->size(), {}, source};
    return {std::move(source), std::move(file)};
}

// The model of several files, with the problems found while opening them.
Result<ModelPtr> openAll(const std::filesystem::path& path, const std::string& subject, std::vector<formats::OpenedFile> files,
                         formats::Findings& findings, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, subject, std::move(files), "keras", options));
    model.path = path;
    model.folder = path.parent_path();
    std::ranges::move(findings.take(), std::back_inserter(model.problems));
    sortProblems(model.problems);
    return std::make_shared<const Model>(std::move(model));
}

} // namespace

std::span<const worker::WorkerTask> tasks() {
    static constexpr std::array all = {worker::WorkerTask{taskNames.index, formats::indexTask<readIndex>},
                                       worker::WorkerTask{taskNames.unpack, formats::unpackTask<unpack>},
                                       worker::WorkerTask{memberTask, formats::unpackTask<unpackMember>}};
    return all;
}

bool isArchive(const std::vector<std::string>& memberNames) {
    const auto has = [&](std::string_view name) { return std::ranges::find(memberNames, name) != memberNames.end(); };
    return has("config.json") && has(weightsMember);
}

bool isShardIndex(std::string_view name, std::string_view json) {
    return name.ends_with(".weights.json") && json.find(".weights.h5\"") != std::string_view::npos;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

Result<ModelPtr> openArchive(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto archiveFile, io::FileSource::open(path));
    const std::shared_ptr<io::ByteSource> source = archiveFile;
    formats::Findings findings(source->name(), options.strictness);
    WB_TRY_ASSIGN(const zip::Archive archive, zip::readArchive(*source, options, findings));
    std::vector<formats::OpenedFile> files;
    for (const char* name : {weightsMember, "config.json", "metadata.json"}) {
        const zip::Member* member = archive.find(name);
        if (member && member->data) files.push_back(openMember(source, *member));
        else if (std::string_view(name) == weightsMember)
            return findings.refuse(ErrorCode::Malformed, "keras.no_weights",
                                   WB_TEXT("{} is a Keras archive without readable weights; download it again."));
    }
    return openAll(path, source->name(), std::move(files), findings, options);
}

Result<ModelPtr> openShards(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    formats::Findings findings(source->name(), options.strictness);
    std::vector<Problem> problems;
    formats::Limits limits = options.limits;
    limits.keptJsonMembers = limits.filesPerModel * 16;
    WB_TRY_ASSIGN(const Value index, json::readFile(*source, source->name(), limits, problems));
    std::vector<std::string> names;
    const auto take = [&](const Value& value) {
        if (value.string() && std::ranges::find(names, *value.string()) == names.end()) names.push_back(*value.string());
    };
    const Value* map = index.object() ? index.object()->find("weight_map") : nullptr;
    if (map && map->object())
        for (const Member& member : map->object()->members) {
            take(member.value);
            if (const ValueArray* list = member.value.array()) std::ranges::for_each(list->first, take);
            if (names.size() > limits.filesPerModel)
                return findings.refuse(ErrorCode::TooLarge, "keras.file_count", WB_TEXT("{} lists more than {} files."),
                                       limits.filesPerModel);
        }
    std::ranges::sort(names);
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(path.parent_path().empty() ? "." : path.parent_path()));
    std::vector<formats::OpenedFile> files;
    for (const std::string& name : names) {
        const auto shard = folder.openFile(name);
        if (!shard) {
            if (options.strictness == formats::Strictness::Strict) return std::unexpected(shard.error());
            findings.add(Severity::Error, "keras.shard", shard.error());
            continue;
        }
        files.push_back({*shard, ModelFile{formats::shown(name), (*shard)->size(), (*shard)->identity(), nullptr}});
    }
    if (files.empty())
        return findings.refuse(ErrorCode::NotFound, "keras.no_shards",
                               WB_TEXT("None of the files referenced by {} can be opened."));
    return openAll(path, source->name(), std::move(files), findings, options);
}

} // namespace wb::keras
