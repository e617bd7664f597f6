// SPDX-License-Identifier: MIT
#include "core/stats/block_look.h"

#include "core/stats/value_reader.h"

namespace wb::stats {

Result<BlockLook> readBlock(const TensorReader& reader, std::uint64_t index) {
    if (index >= reader.elements()) return fail(ErrorCode::Invalid, WB_TEXT("The tensor has no element {}."), index);
    const DtypeInfo& type = info(reader.dtype());
    BlockLook look;
    look.dtype = reader.dtype();
    look.first = index / type.blockElements * type.blockElements;
    look.bytes.resize(type.blockBytes);
    WB_TRY(reader.readRaw(look.first, type.blockElements, look.bytes));
    ValueReader values(reader);
    WB_TRY_ASSIGN(const auto read, values.read(look.first, type.blockElements));
    look.values.assign(read.begin(), read.end());
    if (blockFacts(look.dtype)) takeApart(look.dtype, look.bytes.data(), look.parts.emplace());
    return look;
}

} // namespace wb::stats
