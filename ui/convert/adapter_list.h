// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/number_list.h"

namespace wb::ui::convert {

// The adapters that are merged into a model, in their order, each with how much of it is added.
class AdapterList : public NumberList {
    Q_OBJECT

public:
    explicit AdapterList(QWidget* parent = nullptr);
};

} // namespace wb::ui::convert
