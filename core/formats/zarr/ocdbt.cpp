// SPDX-License-Identifier: MIT
#include "core/formats/zarr/ocdbt.h"

#include "core/base/checked.h"
#include "core/formats/stream/stream.h"
#include "core/formats/table/table.h"

#include <algorithm>
#include <set>

namespace wb::zarr {
namespace {

constexpr std::uint32_t manifestMagic = 0x0CDB3A2A, nodeMagic = 0x0CDB20DE;
constexpr std::uint64_t maxNodeBytes = 64 << 20;
constexpr unsigned maxHeight = 16;
constexpr std::uint64_t maxKeys = 4'000'000;
constexpr std::uint64_t maxKeyBytes = 64 << 10;

// Reads forwards through bytes; after the first fault everything is 0.
class Walker {
public:
    explicit Walker(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    bool good() const { return m_isGood; }
    void reject() { m_isGood = false, m_bytes = {}; }
    std::size_t remaining() const { return m_bytes.size(); }

    std::uint64_t number(unsigned width, bool bigEndian = false) {
        const auto raw = take(width);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < raw.size(); ++i)
            value |= std::to_integer<std::uint64_t>(raw[i]) << 8 * (bigEndian ? raw.size() - 1 - i : i);
        return value;
    }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto raw = take(1);
            if (raw.empty()) return 0;
            value |= std::to_integer<std::uint64_t>(raw[0] & std::byte{0x7F}) << shift;
            if ((raw[0] & std::byte{0x80}) == std::byte{0}) return value;
        }
        reject();
        return 0;
    }
    // A column of `count` numbers, each of at least a byte.
    std::vector<std::uint64_t> column(std::uint64_t count) {
        if (count > m_bytes.size()) reject();
        std::vector<std::uint64_t> out(m_isGood ? count : 0);
        for (std::uint64_t& value : out) value = varint();
        return m_isGood ? out : std::vector<std::uint64_t>(out.size());
    }
    std::span<const std::byte> take(std::uint64_t length) {
        if (length > m_bytes.size()) {
            reject();
            return {};
        }
        const auto out = m_bytes.first(length);
        m_bytes = m_bytes.subspan(length);
        return out;
    }
    std::string text(std::uint64_t length) {
        const auto raw = take(length);
        return {reinterpret_cast<const char*>(raw.data()), raw.size()};
    }

private:
    std::span<const std::byte> m_bytes;
    bool m_isGood = true;
};

struct DataFile {
    std::string path; // below the folder of the store
    std::string base; // its part that its own nodes' paths start with
};

// Keys and paths, each of which shares a beginning with the one before: n - 1 lengths of these, then n lengths of the rest.
struct Shared {
    std::vector<std::uint64_t> prefixes, suffixes;
};

Shared sharedLengths(Walker& walker, std::uint64_t count) {
    Shared out;
    out.prefixes = walker.column(count == 0 ? 0 : count - 1);
    out.prefixes.insert(out.prefixes.begin(), 0);
    out.suffixes = walker.column(count);
    return out;
}

std::vector<std::string> sharedTexts(Walker& walker, const Shared& lengths) {
    std::vector<std::string> out;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < lengths.suffixes.size() && walker.good(); ++i) {
        const std::string before = out.empty() ? std::string() : out.back();
        total += lengths.prefixes[i] + lengths.suffixes[i];
        const bool isFine = lengths.prefixes[i] <= before.size() && lengths.suffixes[i] <= maxKeyBytes && total <= maxNodeBytes;
        if (!isFine) walker.reject();
        else out.push_back(before.substr(0, lengths.prefixes[i]) + walker.text(lengths.suffixes[i]));
    }
    return walker.good() ? out : std::vector<std::string>();
}

struct NodePlace {
    DataFile file;
    std::uint64_t offset = 0, length = 0;
};

class Store {
public:
    Store(const formats::Sources& sources, const FileNames& files, const std::string& folder, const formats::Findings& findings,
          const formats::OpenOptions& options)
        : m_sources(sources), m_files(files), m_folder(folder), m_findings(findings), m_options(options) {}

    Result<std::map<std::string, StoredValue>> read() {
        const std::string name = "manifest.ocdbt";
        WB_TRY_ASSIGN(std::vector<std::byte> body, manifestBody(name));
        Walker walker(body);
        // A numbered manifest has the configuration alone.
        if (readConfiguration(walker)) {
            const std::string newest = newestManifest();
            if (newest.empty()) return damaged(m_folder + name);
            WB_TRY_ASSIGN(body, manifestBody(newest));
            walker = Walker(body);
            (void)readConfiguration(walker);
        }
        WB_TRY(readVersions(walker));
        return std::move(m_values);
    }

private:
    std::unexpected<Error> damaged(const std::string& name) const {
        return m_findings.refuse(ErrorCode::Malformed, "ocdbt.damaged",
                                 WB_TEXT("{} is a damaged OCDBT store: {} is invalid; get a complete copy."), formats::shown(name));
    }

    Result<std::vector<std::byte>> manifestBody(const std::string& name) const {
        const auto found = m_files.find(m_folder + name);
        if (found == m_files.end()) return damaged(m_folder + name);
        return body(found->second, 0, m_sources[found->second]->size(), manifestMagic, m_folder + name);
    }

    std::string newestManifest() const {
        std::string newest;
        const std::string prefix = m_folder + "manifest.";
        for (auto at = m_files.lower_bound(prefix); at != m_files.end() && at->first.starts_with(prefix); ++at) {
            const std::string name = at->first.substr(m_folder.size());
            if (name.size() == 9 + 16) newest = std::max(newest, name); // of equal length, so that texts compare as numbers
        }
        return newest;
    }

    // A node: u32 magic (big-endian), u64 length, varint version, varint compression, body, u32 CRC-32C of all bytes before it.
    Result<std::vector<std::byte>> body(std::uint32_t file, std::uint64_t offset, std::uint64_t length, std::uint32_t magic,
                                        const std::string& name) const {
        constexpr std::uint64_t least = 18;
        if (length > maxNodeBytes || length < least || !io::Extent::make(m_sources[file]->size(), offset, length))
            return damaged(name);
        std::vector<std::byte> bytes(length);
        WB_TRY(m_sources[file]->readAt(offset, bytes));
        Walker walker(bytes);
        const bool isNode = walker.number(4, true) == magic && walker.number(8) == length && walker.varint() == 0;
        const std::uint64_t compression = walker.varint();
        if (!isNode || compression > 1 || !walker.good() || walker.remaining() < 4) return damaged(name);
        const auto content = walker.take(walker.remaining() - 4);
        if (walker.number(4) != table::crc32c(std::span(bytes).first(length - 4))) return damaged(name);
        std::vector<std::byte> plain(content.begin(), content.end());
        if (compression == 0) return plain;
        const io::MemorySource packed(m_findings.file(), std::move(plain));
        return stream::unpack(packed, stream::StreamKind::Zstd, maxNodeBytes, m_options.progress);
    }

    // Whether the manifest is numbered.
    static bool readConfiguration(Walker& walker) {
        (void)walker.take(16);
        const bool isNumbered = walker.varint() == 1;
        (void)walker.varint(); // the longest value inside a node
        (void)walker.varint(); // the longest node
        (void)walker.number(1);
        if (walker.varint() == 1) (void)walker.number(4); // the level of Zstandard
        return isNumbered;
    }

    static std::vector<DataFile> readFiles(Walker& walker, const std::string& base) {
        const std::uint64_t count = walker.varint();
        if (count > walker.remaining()) walker.reject();
        const Shared lengths = sharedLengths(walker, walker.good() ? count : 0);
        const auto bases = walker.column(walker.good() ? count : 0);
        const auto paths = sharedTexts(walker, lengths);
        std::vector<DataFile> files;
        for (std::size_t i = 0; i < paths.size() && walker.good(); ++i) {
            if (bases[i] > paths[i].size()) walker.reject();
            else files.push_back({base + paths[i], base + paths[i].substr(0, bases[i])});
        }
        return files;
    }

    static std::optional<NodePlace> place(const std::vector<DataFile>& files, std::uint64_t file, std::uint64_t offset,
                                          std::uint64_t length) {
        return file < files.size() ? std::optional(NodePlace{files[file], offset, length}) : std::nullopt;
    }

    // Versions in the manifest: the last one is the newest. Columns: generation, height of the root, file, offset, length, and
    // statistics that do not matter here.
    Result<void> readVersions(Walker& walker) {
        const auto files = readFiles(walker, "");
        const std::uint64_t count = walker.varint();
        (void)walker.column(count);
        const auto heights = walker.take(walker.good() ? count : 0);
        const auto file = walker.column(count), offset = walker.column(count), length = walker.column(count);
        if (!walker.good()) return damaged(m_folder + "manifest.ocdbt");
        if (count == 0) return damaged(m_folder + "manifest.ocdbt");             // a manifest has at least the newest version
        if (length.back() == 0 || offset.back() == ~std::uint64_t{0}) return {}; // an empty store
        const auto root = place(files, file.back(), offset.back(), length.back());
        const auto height = std::to_integer<unsigned>(heights.back());
        if (!root || height > maxHeight) return damaged(m_folder + "manifest.ocdbt");
        return readNode(*root, height, "");
    }

    Result<void> readNode(const NodePlace& place, unsigned height, const std::string& inherited) {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        const std::string name = m_folder + place.file.path;
        const auto found = m_files.find(name);
        if (found == m_files.end()) return damaged(name);
        if (!m_seen.emplace(found->second, place.offset).second) return damaged(name); // a circle
        WB_TRY_ASSIGN(const auto bytes, body(found->second, place.offset, place.length, nodeMagic, name));
        Walker walker(bytes);
        if (walker.number(1) != height) return damaged(name);
        const auto files = readFiles(walker, place.file.base);
        const std::uint64_t count = walker.varint();
        if (count > walker.remaining()) walker.reject();
        const std::uint64_t entries = walker.good() ? count : 0;
        const Shared lengths = sharedLengths(walker, entries);
        if (height != 0) return readInterior(walker, entries, lengths, files, height, inherited, name);
        return readLeaf(walker, entries, lengths, files, inherited, name);
    }

    Result<void> readInterior(Walker& walker, std::uint64_t count, const Shared& lengths, const std::vector<DataFile>& files,
                              unsigned height, const std::string& inherited, const std::string& name) {
        const auto common = walker.column(count);
        const auto keys = sharedTexts(walker, lengths);
        const auto file = walker.column(count), offset = walker.column(count), length = walker.column(count);
        if (!walker.good() || keys.size() != count) return damaged(name);
        for (std::size_t i = 0; i < count; ++i) {
            const auto child = place(files, file[i], offset[i], length[i]);
            if (!child || common[i] > keys[i].size() || inherited.size() + common[i] > maxKeyBytes) return damaged(name);
            WB_TRY(readNode(*child, height - 1, inherited + keys[i].substr(0, common[i])));
        }
        return {};
    }

    Result<void> readLeaf(Walker& walker, std::uint64_t count, const Shared& lengths, const std::vector<DataFile>& files,
                          const std::string& inherited, const std::string& name) {
        const auto keys = sharedTexts(walker, lengths);
        const auto length = walker.column(count);
        const auto kinds = walker.take(walker.good() ? count : 0);
        const auto outside = static_cast<std::uint64_t>(std::ranges::count(kinds, std::byte{1}));
        const auto file = walker.column(outside), offset = walker.column(outside);
        if (!walker.good() || keys.size() != count) return damaged(name);
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            StoredValue value;
            value.length = length[i];
            if (kinds[i] == std::byte{1}) {
                if (file[next] >= files.size()) return damaged(name);
                const std::string path = m_folder + files[file[next]].path;
                const auto found = m_files.find(path);
                if (found == m_files.end() || !io::Extent::make(m_sources[found->second]->size(), offset[next], length[i]))
                    return damaged(path);
                value.file = found->second;
                value.offset = offset[next++];
            } else {
                const auto raw = walker.take(length[i]);
                if (!walker.good() || kinds[i] != std::byte{0}) return damaged(name);
                value.inlined.emplace(raw.begin(), raw.end());
            }
            if (m_values.size() == maxKeys)
                return m_findings.refuse(ErrorCode::TooLarge, "ocdbt.keys", WB_TEXT("{} contains more than {} keys."), maxKeys);
            m_values[inherited + keys[i]] = std::move(value);
        }
        return {};
    }

    const formats::Sources& m_sources;
    const FileNames& m_files;
    const std::string& m_folder;
    const formats::Findings& m_findings;
    const formats::OpenOptions& m_options;
    std::map<std::string, StoredValue> m_values;
    std::set<std::pair<std::uint32_t, std::uint64_t>> m_seen;
};

} // namespace

Result<std::map<std::string, StoredValue>> readOcdbt(const formats::Sources& sources, const FileNames& files,
                                                     const std::string& folder, const formats::Findings& findings,
                                                     const formats::OpenOptions& options) {
    return Store(sources, files, folder, findings, options).read();
}

} // namespace wb::zarr
