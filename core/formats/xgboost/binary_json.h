// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/xgboost/builder.h"

// Inside the room.
namespace wb::xgboost {

// The events of Universal Binary JSON (ubjson.org, "Type Reference", draft 12): a marker of one byte before each value, numbers
// big-endian, arrays with a type and a count ("[$d#L…") as consecutive numbers. Malformed, Canceled.
Result<void> readBinaryJson(const io::ByteSource& source, const formats::OpenOptions& options, const formats::Findings& findings,
                            Builder& builder);

} // namespace wb::xgboost
