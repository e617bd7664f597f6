// SPDX-License-Identifier: MIT
#include "core/convert/source/losses.h"

#include <cstring>

namespace wb::convert {

std::string CastLoss::record() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }

bool CastLoss::read(std::string_view record) {
    if (record.size() != sizeof *this) return false;
    std::memcpy(this, record.data(), sizeof *this);
    return true;
}

void addRemarks(std::vector<Problem>& remarks, const std::string& tensor, Dtype to, const CastLoss& loss) {
    const auto add = [&](Severity severity, Reason reason, const char* sentence, std::uint64_t count) {
        if (count > 0) remarks.push_back(makeProblem(severity, reason, {}, std::nullopt, sentence, count, tensor, name(to)));
    };
    add(Severity::Warning, "convert.overflow", WB_TEXT("{} values of {} exceed the range of {} and became infinite."),
        loss.overflows);
    add(Severity::Note, "convert.underflow", WB_TEXT("{} values of {} are too small for {} and became zero."), loss.underflows);
    add(Severity::Warning, "convert.not_finite",
        WB_TEXT("{} values of {} are NaN or infinite: the source contains such values, or the result exceeds the range of {}."),
        loss.notFinite);
}

} // namespace wb::convert
