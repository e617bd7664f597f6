// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/known_files.h"
#include "core/formats/sample.h"

// Why open() takes no file of this content: the sentence names the apparent format, if recognized.
namespace wb::formats {

// A format of other programs: `what` is a phrase with its article.
std::unexpected<Error> refuseNotRead(const std::string& name, const char* what);

std::unexpected<Error> refuseOther(const Sample& file, const std::optional<KnownFile>& known);
std::unexpected<Error> refuseOther(const Sample& file); // by its first and last bytes
std::unexpected<Error> refuseJson(const Sample& file);

} // namespace wb::formats
