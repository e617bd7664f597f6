// SPDX-License-Identifier: MIT
#include "core/formats/training/opened_files.h"

#include "core/formats/training/box_recipe.h"

#include <algorithm>

namespace wb::training {
namespace {

constexpr std::size_t keptOpen = 200; // systems allow 1,024 and more

class LazySource final : public io::ByteSource {
public:
    LazySource(std::shared_ptr<const io::BeneathDirectory> folder, std::string path, const io::FileSource& first)
        : m_folder(std::move(folder)), m_path(std::move(path)), m_name(first.name()), m_identity(first.identity()) {}

    std::uint64_t size() const override { return m_identity.bytes; }
    const std::string& name() const override { return m_name; }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        WB_TRY_ASSIGN(const auto file, m_folder->openFile(m_path));
        if (file->identity() != m_identity)
            return fail(ErrorCode::Changed, Reason("model.changed"), About{m_name},
                        WB_TEXT("{} has changed on disk since it was opened; open it again."), m_name);
        return file->readAt(offset, out);
    }

private:
    std::shared_ptr<const io::BeneathDirectory> m_folder;
    std::string m_path;
    std::string m_name;
    io::Identity m_identity;
};

} // namespace

Result<OpenedFiles> openFiles(const std::filesystem::path& folder, const std::vector<std::string>& names,
                              const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(auto opened, io::BeneathDirectory::open(folder));
    const auto directory = std::make_shared<const io::BeneathDirectory>(std::move(opened));
    OpenedFiles out;
    for (const std::string& name : names) {
        auto source = directory->openFile(name);
        if (!source && options.strictness == formats::Strictness::Strict) return std::unexpected(source.error());
        if (!source) {
            out.problems.push_back(asProblem(Severity::Error, "training.rank_unreadable", name, source.error()));
            continue;
        }
        ModelFile file{name, (*source)->size(), (*source)->identity(), nullptr};
        std::shared_ptr<io::ByteSource> kept = *source;
        if (names.size() > keptOpen) kept = std::make_shared<LazySource>(directory, name, **source);
        out.files.push_back({std::move(kept), std::move(file)});
        out.wish += name + "\n";
    }
    return out;
}

Result<ModelPtr> openJoined(const char* task, const std::filesystem::path& folder, OpenedFiles opened,
                            const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, formats::askWorker({task, nullptr, boxRecipeWire()}, io::baseName(folder), std::move(opened.files),
                                                  opened.wish, options));
    std::ranges::move(opened.problems, std::back_inserter(model.problems));
    sortProblems(model.problems);
    model.path = folder;
    model.folder = folder;
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::training
