// SPDX-License-Identifier: MIT
#include "core/formats/refusals.h"

namespace wb::formats {

std::unexpected<Error> refuseNotRead(const std::string& name, const char* what) {
    return fail(ErrorCode::Unsupported, Reason("formats.not_supported"), About{name},
                WB_TEXT("{} is {}, which Weighbridge does not support yet; open a safetensors or GGUF version of it."), name, what);
}

std::unexpected<Error> refuseOther(const Sample& file, const std::optional<KnownFile>& known) {
    if (known && known->model) return refuseNotRead(file.name(), known->what);
    if (known)
        return fail(ErrorCode::Unknown, Reason("formats.no_model"), About{file.name()},
                    WB_TEXT("{} is {}, not a model; open a GGUF or safetensors file or a model folder."), file.name(), known->what);
    return fail(ErrorCode::Unknown, Reason("formats.unknown"), About{file.name()},
                WB_TEXT("{} is not in a supported format; open a GGUF or safetensors file or a model folder."), file.name());
}

std::unexpected<Error> refuseOther(const Sample& file) { return refuseOther(file, recognize(file.head(), file.tail())); }

std::unexpected<Error> refuseJson(const Sample& file) {
    return fail(ErrorCode::Unknown, Reason("formats.no_weights"), About{file.name()},
                WB_TEXT("{} is a JSON file that lists no weights; open its folder instead."), file.name());
}

} // namespace wb::formats
