// SPDX-License-Identifier: MIT
#include "core/io/failures.h"

#include "core/base/checked.h"
#include "core/base/counts.h"

#include <limits>

namespace wb::io {

std::unexpected<Error> endsEarly(const std::string& name, std::uint64_t size, std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t end = checked::add(offset, length).value_or(std::numeric_limits<std::uint64_t>::max());
    return fail(ErrorCode::Malformed, Reason("io.ends_early"), About{name},
                WB_TEXT("{} ends at byte {}, before the declared byte {}."), name, grouped(size), grouped(end));
}

std::unexpected<Error> notFound(const std::string& name) {
    return fail(ErrorCode::NotFound, Reason("io.not_found"), About{name}, WB_TEXT("{} does not exist; check the path."), name);
}

std::unexpected<Error> isFolder(const std::string& name) {
    return fail(ErrorCode::NotReadable, Reason("io.is_folder"), About{name}, WB_TEXT("{} is a folder; a file is expected."), name);
}

std::unexpected<Error> isNoRegularFile(const std::string& name) {
    return fail(ErrorCode::NotReadable, Reason("io.not_regular"), About{name},
                WB_TEXT("{} is not a regular file; copy its contents to one first."), name);
}

std::unexpected<Error> isForeignLink(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("io.link_leads_out"), About{name},
                WB_TEXT("{} is a link to a file outside the model folder; open its target instead."), name);
}

std::unexpected<Error> cannotRead(const std::string& name, const std::string& reason) {
    return fail(ErrorCode::NotReadable, Reason("io.not_readable"), About{name},
                WB_TEXT("{} cannot be read ({}); check its permissions."), name, reason);
}

std::unexpected<Error> cannotReadAt(const std::string& name, std::uint64_t offset, const std::string& reason) {
    return fail(ErrorCode::NotReadable, Reason("io.read_failed"), About{name},
                WB_TEXT("{} cannot be read at byte {} ({}); check the disk."), name, offset, reason);
}

std::unexpected<Error> cannotWrite(const std::string& name, const std::string& reason) {
    return fail(ErrorCode::NotWritable, Reason("io.not_writable"), About{name},
                WB_TEXT("Cannot write {} ({}); choose another folder or free disk space."), name, reason);
}

std::unexpected<Error> noRoom(const std::string& name) {
    return fail(ErrorCode::NoSpace, Reason("io.disk_full"), About{name},
                WB_TEXT("Not enough disk space for {}; free some space or choose another folder."), name);
}

std::unexpected<Error> heldElsewhere(const std::string& name) {
    return fail(ErrorCode::NotWritable, heldByAnotherRun, About{name},
                WB_TEXT("{} belongs to another unfinished job; wait for it to finish or choose another name."), name);
}

std::unexpected<Error> becameShorter(const std::string& name) {
    return fail(ErrorCode::Changed, Reason("io.became_shorter"), About{name},
                WB_TEXT("{} became shorter while being read; open it again when it is complete."), name);
}

std::unexpected<Error> changedOnDisk(const std::string& name) {
    return fail(ErrorCode::Changed, Reason("io.changed"), About{name},
                WB_TEXT("{} has changed on disk since it was opened; open it again."), name);
}

std::unexpected<Error> leadsOut(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("io.name_leads_out"), About{name},
                WB_TEXT("The name \"{}\" in the model points outside its folder and is ignored."), name);
}

} // namespace wb::io
