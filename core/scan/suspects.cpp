// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/scan/scan.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace wb::scan {
namespace {

using namespace std::string_view_literals;

// Files of a folder that loaders take objects, classes or templates from, by the names that loaders look for.
bool bringsCode(const std::filesystem::path& file) {
    static constexpr std::array endings = {".bin"sv, ".pt"sv,  ".pth"sv,   ".ckpt"sv, ".pkl"sv,  ".joblib"sv,
                                           ".h5"sv,  ".npy"sv, ".keras"sv, ".npz"sv,  ".gguf"sv, ".jinja"sv};
    static constexpr std::array names = {"config.json"sv, "tokenizer_config.json"sv, "processor_config.json"sv,
                                         "chat_template.json"sv};
    return std::ranges::find(endings, io::pathText(file.extension())) != endings.end() ||
           std::ranges::find(names, io::pathText(file.filename())) != names.end();
}

// Whether the file holds texts only, whose rules need no worker. No pickle and no archive starts with a brace.
bool holdsTexts(std::span<const std::byte> head, std::uint64_t size) {
    return gguf::sniff(head) || safetensors::sniff(head, size) || (!head.empty() && head.front() == std::byte{'{'});
}

// A file of which only the beginning may be read.
class BeginningOnly final : public io::ByteSource {
public:
    BeginningOnly(std::shared_ptr<const io::ByteSource> whole, std::uint64_t most) : m_whole(std::move(whole)), m_most(most) {}

    std::uint64_t size() const override { return m_whole->size(); }
    const std::string& name() const override { return m_whole->name(); }
    Result<void> checkUnchanged() const override { return m_whole->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (offset <= m_most && out.size() <= m_most - offset) return m_whole->readAt(offset, out);
        m_wasLeft = true;
        return fail(ErrorCode::NotReadable, Reason("scan.beginning"), About{name()}, WB_TEXT("{} is not scanned at that depth."),
                    name());
    }

    bool wasLeft() const { return m_wasLeft; }

private:
    std::shared_ptr<const io::ByteSource> m_whole;
    std::uint64_t m_most;
    mutable std::atomic<bool> m_wasLeft = false;
};

} // namespace

std::vector<std::filesystem::path> filesWithCode(const std::filesystem::path& model) {
    std::error_code error;
    if (!std::filesystem::is_directory(model, error)) return {model};
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(model, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && bringsCode(entry->path())) files.push_back(entry->path());
    }
    std::ranges::sort(files);
    return files;
}

std::optional<Danger> scanText(const std::filesystem::path& file) {
    constexpr std::uint64_t most = 16 << 20; // which holds the vocabularies that are in use
    const auto source = io::FileSource::open(file);
    if (!source) return Danger(); // opening it reports the error
    const std::uint64_t size = (*source)->size();
    std::vector<std::byte> head(std::min<std::uint64_t>(size, 16));
    if (!(*source)->readAt(0, head)) return Danger();
    if (!holdsTexts(head, size)) return std::nullopt;
    const auto beginning = std::make_shared<BeginningOnly>(*source, most);
    Danger danger = scanSource(beginning, {});
    if (beginning->wasLeft()) return std::nullopt;
    return danger;
}

} // namespace wb::scan
