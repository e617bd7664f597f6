// SPDX-License-Identifier: MIT
#include "core/stats/stored_block.h"

#include "core/stats/value_reader.h"

namespace wb::stats {

Result<StoredBlock> readBlock(const TensorReader& reader, std::uint64_t index) {
    if (index >= reader.elements())
        return fail(ErrorCode::Invalid, Reason("stats.no_element"), WB_TEXT("The tensor has no element {}."), index);
    const DtypeInfo& type = info(reader.dtype());
    StoredBlock pass;
    pass.dtype = reader.dtype();
    pass.first = index / type.blockElements * type.blockElements;
    pass.bytes.resize(type.blockBytes);
    WB_TRY(reader.readRaw(pass.first, type.blockElements, pass.bytes));
    ValueReader values(reader);
    WB_TRY_ASSIGN(const auto read, values.read(pass.first, type.blockElements));
    pass.values.assign(read.begin(), read.end());
    if (blockFacts(pass.dtype)) splitBlock(pass.dtype, pass.bytes.data(), pass.parts.emplace());
    return pass;
}

} // namespace wb::stats
