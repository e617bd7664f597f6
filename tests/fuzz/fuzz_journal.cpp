// SPDX-License-Identifier: MIT
#include "core/convert/run/journal.h"

#include <cstdlib>

// A journal may be cut, damaged or somebody else's: it is read without a crash, and what is believed lies in it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto journal = wb::run::parseJournal(text);
    if (!journal) return 0;
    if (journal->validBytes > size) std::abort();
    for (const auto& [item, record] : journal->records)
        if (item >= journal->job.items || record.text.size() > wb::run::maxRecord) std::abort();
    for (const wb::run::PartMark& part : journal->parts)
        if (part.name.is_absolute()) std::abort();
    return 0;
}
