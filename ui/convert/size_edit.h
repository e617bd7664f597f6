// SPDX-License-Identifier: MIT
#pragma once

#include <QLineEdit>

#include <optional>

namespace wb::ui::convert {

// The size that the text says; empty: it is none.
std::optional<quint64> enteredBytes(const QString& text);

// A line for a size in bytes, written as people write it: "4.2 GB", "3900 MiB", full-width characters of an input method too. A
// bare number counts in gigabytes.
class SizeEdit : public QLineEdit {
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

    std::optional<quint64> bytes() const { return enteredBytes(text()); }
    void setBytes(quint64 bytes); // shown in decimal units, rounded up to three places
};

} // namespace wb::ui::convert
