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
    case Transform::Transpose: return "transpose";
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

} // namespace wb::convert
