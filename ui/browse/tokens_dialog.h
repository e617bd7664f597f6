// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/token_box.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace wb::ui::browse {

// Asks for the tokens of both hubs and says where those that are used come from. It shows no token, not even one that was given.
class TokensDialog : public QDialog {
    Q_OBJECT

public:
    // `known` is what the environment says; `box` what was given before.
    TokensDialog(const wb::hub::Settings& known, const wb::hub::TokenBox& box, QWidget* parent);

    // What is to be used from now on.
    wb::hub::TokenBox::Given given(wb::hub::Hub hub) const;

private:
    struct Row {
        QLineEdit* token = nullptr;
        QCheckBox* removes = nullptr; // what was given before
        QCheckBox* consent = nullptr; // null: the endpoint is the hub itself
        wb::hub::TokenBox::Given before;
    };
    Row makeRow(const wb::hub::Source& source, const wb::hub::TokenBox::Given& before);
    Row& row(wb::hub::Hub hub) { return m_rows[static_cast<std::size_t>(hub)]; }

    std::array<Row, 2> m_rows;
};

} // namespace wb::ui::browse
