// SPDX-License-Identifier: MIT
#include "ui/convert/adapter_list.h"

namespace wb::ui::convert {

AdapterList::AdapterList(QWidget* parent)
    : NumberList({"addAdapter", tr("Add an adapter…"), tr("Adapters are merged into the weights before any other step"),
                  tr("Choose an adapter folder"), tr("Scale of %1"), tr("Remove %1"), tr("Remove this adapter"),
                  tr("Add an adapter file…"), tr("Choose an adapter file of Kohya scripts or LyCORIS"),
                  tr("Adapters (*.safetensors)")},
                 parent) {}

} // namespace wb::ui::convert
