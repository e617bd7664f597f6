// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/whatif/what_if.h"
#include "ui/widgets/types/type_row.h"

#include <vector>

namespace wb::ui::inspect {

// The types that one tensor can become, with the measurements as they arrive.
class TensorTypes {
public:
    TensorTypes() = default;
    // Nothing is measured yet. `own` is the current type of the tensor.
    TensorTypes(const std::vector<Dtype>& types, Dtype own, const Shape& shape);

    void add(const quant::WhatIf& result);
    void giveUp() { m_isWaiting = false; } // missing values will not be measured

    int count() const { return static_cast<int>(m_types.size()); }
    Dtype type(int at) const { return m_types[static_cast<std::size_t>(at)].type; }
    const quant::WhatIf* result(int at) const; // null: not measured, or `at` is none
    std::vector<TypeRow> rows() const;         // for the table, in the same order

private:
    struct Measured {
        Dtype type;
        std::optional<quant::WhatIf> result;
    };
    TypeRow row(const Measured& measured) const;

    std::vector<Measured> m_types;
    Dtype m_own = Dtype::Unknown;
    Shape m_shape;
    bool m_isWaiting = true;
};

} // namespace wb::ui::inspect
