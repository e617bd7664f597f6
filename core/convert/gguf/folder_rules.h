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
using arch::TensorRule;
using arch::Transform;
using arch::VocabularyKind;

// The name of a transform in plans and tables.
const char* transformName(Transform transform);

inline bool isRepack(Transform transform) { return transform >= Transform::Repack; }
inline bool isStack(Transform transform) { return transform == Transform::Stack || transform == Transform::StackHeads; }

} // namespace wb::convert
