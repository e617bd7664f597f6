// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/role.h"

#include <span>
#include <string_view>

// The tables behind tensorRole and tensorPart. To teach the program a new spelling, add it to a row; to teach it a new part, add a
// row. Spellings with another meaning in one family are in its record (Family::parts).
namespace wb::arch {

// One part of a network and every way to spell it, separated by blanks. A spelling is the end of a tensor's dotted name after
// numbers and storage words (weight, bias …) are taken out; "^." anchors it at the beginning of the name. The longest spelling
// that fits decides.
struct RolePart {
    std::string_view name; // what tensorPart answers; may be empty
    Role role;
    std::string_view spellings;
};

std::span<const RolePart> transformerParts(); // language models: attention, MLP, experts, norms, embeddings
std::span<const RolePart> recurrentParts();   // state-space models, linear attention, RWKV, short convolutions
std::span<const RolePart> diffusionParts();   // Diffusers: UNet, transformers, VAE; vision and audio towers

// The last resort for names of no known spelling: the first row whose text occurs in the name in lower case.
struct RoleWord {
    std::string_view text;
    Role role;
};
std::span<const RoleWord> roleWords();

} // namespace wb::arch
