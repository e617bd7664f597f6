// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/formats/json/json.h"
#include "core/hub/answers.h"
#include "core/hub/download.h"

namespace wb::hub {

// A download, in the records that outlive the program: id, files, place, alternates. Neither addresses nor tokens.
void writeRequest(JsonWriter& out, const DownloadRequest& request); // members of an object that is open

// Empty where it is not whole, or names what no download may have: a bad file name, a root that is not absolute.
std::optional<DownloadRequest> readRequest(const ValueObject& object);

} // namespace wb::hub
