// SPDX-License-Identifier: MIT
#include "core/verify/file_hashes.h"

#include "core/formats/lfs/pointer.h"
#include "core/io/cache_link.h"
#include "core/io/download_record.h"
#include "core/io/digests/git_blob.h"
#include "core/io/digests/hex.h"
#include "core/io/digests/sha256.h"

namespace wb::verify {
namespace {

using Path = std::filesystem::path;
constexpr std::size_t sha256Digits = 64, sha1Digits = 40;

bool isHash(std::string_view text) { return io::isHex(text, sha256Digits) || io::isHex(text, sha1Digits); }

Path pathFromFolder(const Path& folder, const std::string& name) { return folder / Path(std::u8string(name.begin(), name.end())); }

// The folder of the download records may be some levels above the file. The record counts even if the file changed later: whether
// it did is the question.
std::string recordedName(const Path& folder, const std::string& name) {
    constexpr int levels = 4;
    constexpr std::int64_t anyTime = 0;
    std::error_code ignored;
    Path at = std::filesystem::absolute(folder, ignored).lexically_normal();
    if (!at.has_filename()) at = at.parent_path();
    std::string relative = name;
    for (int level = 0; level < levels && at.has_relative_path(); ++level, at = at.parent_path()) {
        if (const auto record = io::readDownloadRecord(at, relative, anyTime)) return record->etag;
        relative = io::pathText(at.filename()) + '/' + relative;
    }
    return {};
}

} // namespace

Result<CheckedFile> expectFile(const Path& folder, const std::string& name) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(pathFromFolder(folder, name)));
    CheckedFile file;
    file.name = name;
    file.bytes = source->size();
    if (const auto pointer = lfs::readPointer(*source)) {
        file.source = HashSource::LfsPointer;
        file.expected = pointer->sha256;
        file.isGood = false;
        return file;
    }
    const auto blob = io::cachedBlob(folder, name);
    std::string hash = blob ? io::pathText(blob->filename()) : recordedName(folder, name);
    if (!isHash(hash)) return file;
    file.expected = std::move(hash);
    file.source = HashSource::HubCache;
    return file;
}

Result<void> hashFile(const Path& folder, CheckedFile& file, const Progress& progress) {
    if (file.source == HashSource::LfsPointer) return {};
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(pathFromFolder(folder, file.name)));
    WB_TRY_ASSIGN(const io::Sha256Digest digest, io::hashSha256(*source, progress));
    file.sha256 = io::hexText(digest);
    if (file.expected.empty()) return {};
    if (file.expected.size() == sha256Digits) {
        file.isGood = file.sha256 == file.expected;
        return {};
    }
    WB_TRY_ASSIGN(const std::string name, io::gitBlobName(*source, {progress.stop, {}}));
    file.isGood = name == file.expected;
    return {};
}

} // namespace wb::verify
