// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/zip/records.h"

// Properties of an archive that correct writers do not create: each check adds its problems and changes nothing that is read
// (docs/reference/safety.md, "Zip and other container tricks").
namespace wb::zip {

// zip.local_central_mismatch and zip.flag_bits: the header in front of a member against the directory.
void compareHeaders(const Member& member, const LocalHeader& local, Findings& findings);

// zip.multiple_eocd, zip.end_mismatch, zip.prefix, zip.suffix.
void checkEnds(const io::ByteSource& source, const Archive& archive, const FoundEnd& found, Findings& findings);

// zip.duplicate, zip.case_twins, path.traversal.
void checkNames(const Archive& archive, Findings& findings);

// zip.overlap; zip.gap, which also fills Archive::gaps.
void checkPlaces(Archive& archive, Findings& findings);

} // namespace wb::zip
