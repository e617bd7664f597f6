// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/digests/sha256.h"
#include "core/model/model.h"

#include <string_view>

namespace wb::convert {

// A run::JobId::fingerprint in the making: SHA-256 of everything that changes a byte of the result.
class Fingerprint {
public:
    void add(std::string_view text) { m_hash.update(std::as_bytes(std::span(text))); }

    // A file that is read, by inode, size and time; by name, too, if the file system has no inodes. A restart, a mount elsewhere
    // and a renamed folder leave these as they are.
    void add(std::string_view name, const io::Identity& id) {
        add(fmt::format("{} {} {} {}\n", id.inode == 0 ? name : "", id.inode, id.bytes, id.modifiedNs));
    }

    void add(const std::vector<ModelFile>& files) {
        for (const ModelFile& file : files) add(file.name, file.identity);
    }

    Result<std::string> finish() {
        WB_TRY_ASSIGN(const io::Sha256Digest digest, m_hash.finish());
        return io::hexText(digest);
    }

private:
    io::Sha256 m_hash;
};

} // namespace wb::convert
