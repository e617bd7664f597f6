// SPDX-License-Identifier: MIT
#include "core/convert/run/verify.h"

namespace wb::run {

Error differsFromSource(const std::string& file, const std::string& tensor) {
    return makeError(ErrorCode::Internal, writtenDiffers, About{file},
                     WB_TEXT("{} was not kept: {} in it is not what its source gives once more, so the memory, the disk or the "
                             "device may be faulty."),
                     file, tensor);
}

} // namespace wb::run
