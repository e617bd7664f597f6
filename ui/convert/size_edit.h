// SPDX-License-Identifier: MIT
#pragma once

#include <QLineEdit>

#include <optional>

namespace wb::ui::convert {

// A line for a size in bytes, written as people write it: "4.2 GB", "3900 MiB", full-width characters of an input method too. A
// bare number counts in gigabytes.
class SizeEdit : public QLineEdit {
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

    std::optional<quint64> bytes() const; // empty: what stands there is no size
    void setBytes(quint64 bytes);         // shown in decimal units, rounded up to three places
};

} // namespace wb::ui::convert
