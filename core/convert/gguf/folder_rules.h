// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/family.h"

// The rules of model families (core/arch/folder_rules.h) as conversion uses them.
namespace wb::convert {

using arch::Dim;
using arch::ExtraToken;
using arch::FolderFamily;
using arch::FolderRules;
using arch::KeyKind;
using arch::KeyRule;
using arch::LayerKind;
using arch::RowOrder;
using arch::TensorRule;
using arch::Transform;
using arch::VocabularyKind;

// The name of a transform in plans and tables.
const char* transformName(Transform transform);

// The name of an order of rows in plans; empty for that of the source.
const char* orderName(RowOrder order);

// Whether a layer has the tensors of a kind.
inline bool isOfKind(const arch::LayerSpec& layer, LayerKind kind) {
    switch (kind) {
    case LayerKind::Dense: return layer.expertsUsed == 0 && layer.feedForward > 0;
    case LayerKind::Sparse: return layer.expertsUsed > 0;
    case LayerKind::Attending: return layer.hasAttention();
    case LayerKind::Recurrent: return layer.recurrence != arch::Recurrence::None;
    case LayerKind::Every: break;
    }
    return true;
}

inline bool isRepack(Transform transform) { return transform >= Transform::Repack; }
inline bool isStack(Transform transform) { return transform == Transform::Stack || transform == Transform::StackHeads; }

} // namespace wb::convert
