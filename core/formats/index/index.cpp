// SPDX-License-Identifier: MIT
#include "core/formats/index/index.h"

#include "core/formats/index/derived.h"

#include <algorithm>

namespace wb::formats {
namespace {

void writeDerived(worker::WireWriter& out, const DerivedFile& file) {
    out.u8(static_cast<std::uint8_t>(file.kind));
    out.u32(file.file);
    out.u64(file.more.size());
    for (const std::uint32_t source : file.more) out.u32(source);
    out.u64(file.begin);
    out.u64(file.end);
    out.u64(file.width);
    out.bytes(file.spec);
    out.u64(file.bytes);
}

DerivedFile readDerived(worker::WireReader& in, std::uint32_t sources) {
    DerivedFile file;
    const std::uint8_t kind = in.u8();
    if (kind > static_cast<std::uint8_t>(DerivedFile::Kind::Unpacked)) in.reject();
    file.kind = static_cast<DerivedFile::Kind>(kind);
    file.file = in.u32();
    file.more.resize(in.count(4));
    for (std::uint32_t& source : file.more) {
        source = in.u32();
        if (source >= sources) in.reject();
    }
    file.begin = in.u64();
    file.end = in.u64();
    file.width = in.u64();
    const auto spec = in.bytes();
    file.spec.assign(spec.begin(), spec.end());
    file.bytes = in.u64();
    const bool isWidth = file.width == 2 || file.width == 4 || file.width == 8;
    if (file.file >= sources || (file.kind == DerivedFile::Kind::Swapped && (!isWidth || file.end < file.begin))) in.reject();
    return file;
}

// Drops the files that no tensor needs and gives the others their places after the sources.
class FileList {
public:
    FileList(Model& model, std::uint32_t sources, std::size_t others) : m_model(model), m_sources(sources), m_used(others) {
        for (const TensorInfo& tensor : model.tensors) mark(tensor.file()); // pieces are in sources alone
    }

    bool isUsed(std::size_t other) const { return m_used[other]; }

    void renumber() {
        std::vector<std::uint32_t> places;
        std::uint32_t next = m_sources;
        for (const bool used : m_used) places.push_back(used ? next++ : 0);
        for (TensorInfo& tensor : m_model.tensors) {
            const std::uint32_t file = tensor.file();
            if (file == noFile || file < m_sources) continue;
            tensor.source.shiftFiles(places[file - m_sources] - file);
        }
    }

private:
    void mark(std::uint32_t file) {
        if (file != noFile && file >= m_sources) m_used[file - m_sources] = true;
    }

    Model& m_model;
    std::uint32_t m_sources;
    std::vector<bool> m_used;
};

// `packed` are the bytes that the format's task gets.
using MakeUnpacked = std::function<std::shared_ptr<io::ByteSource>(const DerivedFile& file, const std::string& name,
                                                                   std::shared_ptr<io::ByteSource> packed)>;

std::shared_ptr<io::ByteSource> packedSource(const DerivedFile& file, const Sources& sources) {
    if (file.more.empty()) return sources[file.file];
    Sources parts = {sources[file.file]};
    for (const std::uint32_t source : file.more) parts.push_back(sources[source]);
    return std::make_shared<JoinedSource>(std::move(parts));
}

// Appends the copied and derived files that tensors use; the sources are in the list already.
void addFiles(Index& index, Model& model, const Sources& sources, const MakeUnpacked& unpacked) {
    FileList list(model, index.sources(), 1 + index.derived().size());
    const auto add = [&](std::shared_ptr<io::ByteSource> source) {
        ModelFile file{source->name(), source->size(), {}, nullptr};
        file.source = std::move(source);
        model.files.push_back(std::move(file));
    };
    const std::string name = sources.empty() ? std::string() : model.files.front().name;
    if (list.isUsed(0)) add(std::make_shared<io::MemorySource>(name + "#values", index.copied()));
    for (std::size_t i = 0; i < index.derived().size(); ++i) {
        if (!list.isUsed(1 + i)) continue;
        const DerivedFile& file = index.derived()[i];
        if (file.kind == DerivedFile::Kind::Swapped)
            add(std::make_shared<SwappedSource>(sources[file.file], file.begin, file.end, file.width));
        else add(unpacked(file, model.files[file.file].name + "#unpacked", packedSource(file, sources)));
    }
    list.renumber();
}

} // namespace

std::optional<TensorSource> Index::copy(std::span<const std::byte> values) {
    if (values.size() > maxCopied - m_copied.size()) return std::nullopt;
    const std::uint64_t offset = m_copied.size();
    m_copied.insert(m_copied.end(), values.begin(), values.end());
    return TensorSource::stored(m_sources, offset, values.size());
}

std::uint32_t Index::addSwapped(std::uint32_t file, std::uint64_t begin, std::uint64_t end, std::uint64_t width) {
    const DerivedFile derived{DerivedFile::Kind::Swapped, file, {}, begin, end, width};
    m_derived.push_back(derived);
    return m_sources + static_cast<std::uint32_t>(m_derived.size());
}

std::uint32_t Index::addUnpacked(std::uint32_t file, std::vector<std::byte> spec, std::uint64_t bytes) {
    return addUnpacked(std::vector{file}, std::move(spec), bytes);
}

std::uint32_t Index::addUnpacked(const std::vector<std::uint32_t>& files, std::vector<std::byte> spec, std::uint64_t bytes) {
    DerivedFile derived{DerivedFile::Kind::Unpacked, files.front()};
    derived.more.assign(files.begin() + 1, files.end());
    derived.spec = std::move(spec);
    derived.bytes = bytes;
    m_derived.push_back(std::move(derived));
    return m_sources + static_cast<std::uint32_t>(m_derived.size());
}

std::optional<Index> readIndexMessage(worker::WireReader& in, std::size_t sources, const worker::RecipeWire& recipes) {
    Index index(sources);
    const auto copied = in.bytes();
    index.m_copied.assign(copied.begin(), copied.end());
    constexpr std::uint64_t smallest = 61;
    const std::uint64_t derived = in.count(smallest);
    for (std::uint64_t i = 0; i < derived && in.good(); ++i)
        index.m_derived.push_back(readDerived(in, static_cast<std::uint32_t>(sources)));
    auto model = worker::readModel(in, static_cast<std::uint32_t>(sources + 1 + index.m_derived.size()), recipes);
    if (!model || !in.good() || !in.atEnd()) return std::nullopt;
    index.model = std::move(*model);
    return index;
}

Result<std::vector<std::byte>> runIndexTask(const worker::TaskInput& input, ReadIndex read, const worker::RecipeWire& recipes) {
    worker::WireReader in(input.request);
    OpenOptions options;
    options.strictness = in.flag() ? Strictness::Strict : Strictness::Lenient;
    options.progress = input.progress;
    const std::string wish(in.text());
    WB_TRY_ASSIGN(const Index index, read(input.sources, wish, options));
    worker::WireWriter out;
    out.bytes(index.copied());
    out.u64(index.derived().size());
    for (const DerivedFile& file : index.derived()) writeDerived(out, file);
    WB_TRY(worker::writeModel(out, index.model, recipes));
    return out.take();
}

Result<OpenedFile> openNamed(const std::filesystem::path& path) {
    WB_TRY_ASSIGN(auto source, io::FileSource::open(path));
    ModelFile file = namedFile(path, source);
    return OpenedFile{std::move(source), std::move(file)};
}

Result<Model> askWorker(const Tasks& tasks, const std::string& subject, std::vector<OpenedFile> files, std::string_view wish,
                        const OpenOptions& options) {
    worker::WireWriter out;
    out.flag(options.strictness == Strictness::Strict);
    out.text(wish);
    worker::Request request{tasks.index, subject, out.take()};
    Sources sources;
    for (const OpenedFile& file : files) {
        request.sources.push_back(file.source);
        sources.push_back(file.source);
    }
    WB_TRY_ASSIGN(const auto reply, worker::run(request, options.progress));
    worker::WireReader in(reply);
    auto index = readIndexMessage(in, files.size(), tasks.recipes);
    if (!index) return worker::garbledModel(subject);
    Model model = std::move(index->model);
    for (OpenedFile& file : files) model.files.push_back(std::move(file.file));
    addFiles(*index, model, sources, [&](const DerivedFile& file, const std::string& name, std::shared_ptr<io::ByteSource> packed) {
        return std::make_shared<UnpackedSource>(tasks.unpack, std::move(packed), name, file.spec, file.bytes);
    });
    sortProblems(model.problems);
    return model;
}

Result<ModelPtr> openFile(const Tasks& tasks, const std::filesystem::path& path, const OpenOptions& options) {
    WB_TRY_ASSIGN(OpenedFile file, openNamed(path));
    const std::string subject = file.source->name();
    std::vector<OpenedFile> files;
    files.push_back(std::move(file));
    WB_TRY_ASSIGN(Model model, askWorker(tasks, subject, std::move(files), {}, options));
    model.path = path;
    model.folder = path.parent_path();
    return std::make_shared<const Model>(std::move(model));
}

Model modelFromIndex(Index index, const Sources& sources, Unpack unpack) {
    Model model = std::move(index.model);
    for (const auto& source : sources) {
        ModelFile file{source->name(), source->size(), {}, nullptr};
        file.source = source;
        model.files.push_back(std::move(file));
    }
    addFiles(index, model, sources, [&](const DerivedFile& file, const std::string& name, std::shared_ptr<io::ByteSource> packed) {
        return std::make_shared<UnpackedHere>(unpack, std::move(packed), name, file.spec, file.bytes);
    });
    return model;
}

} // namespace wb::formats
