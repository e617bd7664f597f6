// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

// Sentences that several files of this room share, so that they are translated once.
namespace wb::io {

// That of heldElsewhere().
inline constexpr Reason heldByAnotherRun("io.held_by_another_run");

std::unexpected<Error> endsEarly(const std::string& name, std::uint64_t size, std::uint64_t offset, std::uint64_t length);
std::unexpected<Error> notFound(const std::string& name);
std::unexpected<Error> isFolder(const std::string& name);
std::unexpected<Error> isNoRegularFile(const std::string& name);
std::unexpected<Error> isForeignLink(const std::string& name);
std::unexpected<Error> cannotRead(const std::string& name, const std::string& reason);
std::unexpected<Error> cannotReadAt(const std::string& name, std::uint64_t offset, const std::string& reason);
std::unexpected<Error> cannotWrite(const std::string& name, const std::string& reason);
std::unexpected<Error> noRoom(const std::string& name);
std::unexpected<Error> heldElsewhere(const std::string& name);
std::unexpected<Error> becameShorter(const std::string& name);
std::unexpected<Error> changedOnDisk(const std::string& name);
std::unexpected<Error> leadsOut(const std::string& name);

} // namespace wb::io
