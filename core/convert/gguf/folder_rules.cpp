// SPDX-License-Identifier: MIT
#include "core/convert/gguf/folder_rules.h"

namespace wb::convert {

const char* transformName(Transform transform) {
    switch (transform) {
    case Transform::Copy: return "copy";
    case Transform::PermuteQueries:
    case Transform::PermuteKeys: return "permute";
    case Transform::Stack:
    case Transform::StackHeads: return "stack";
    case Transform::AddOne: return "add_one";
    case Transform::NegateExp:
    case Transform::NegateExpColumn: return "negate_exp";
    case Transform::JoinShards: return "join";
    case Transform::AsPair: return "metadata";
    case Transform::Transpose: return "transpose";
    case Transform::Squeeze: return "squeeze";
    case Transform::LeadingAxis:
    case Transform::Column:
    case Transform::ByGroup: return "reshape";
    case Transform::LatentKeys: return "latent_keys";
    case Transform::LatentValues: return "latent_values";
    case Transform::TransposeEach: return "transpose";
    case Transform::TransposedFirstHalf: return "transposed_first_half";
    case Transform::TransposedSecondHalf: return "transposed_second_half";
    case Transform::IndexerQueries: return "indexer_queries";
    case Transform::IndexerKeys: return "indexer_keys";
    case Transform::CutRows: return "truncate_rows";
    case Transform::FirstHalf: return "first_half";
    case Transform::SecondHalf: return "second_half";
    case Transform::EvenColumns: return "even_columns";
    case Transform::OddColumns: return "odd_columns";
    case Transform::Repack: return "repack";
    case Transform::RepackEvenRows: return "repack_even_rows";
    case Transform::RepackOddRows: break;
    }
    return "repack_odd_rows";
}

const char* orderName(RowOrder order) {
    switch (order) {
    case RowOrder::Stored: return "";
    case RowOrder::TileHeads: return "tile_heads";
    case RowOrder::TileMixed: return "tile_mixed";
    case RowOrder::TileColumns: return "tile_columns";
    case RowOrder::TakeMixed: return "take_mixed";
    case RowOrder::TakeGates: break;
    }
    return "take_gates";
}

} // namespace wb::convert
