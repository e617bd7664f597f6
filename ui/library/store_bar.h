// SPDX-License-Identifier: MIT
#pragma once

#include "ui/library/library_session.h"

#include <QWidget>

namespace wb::ui::library {

// The disk use of the stores as one bar with a legend. Says the same in one sentence to screen readers.
class StoreBar : public QWidget {
    Q_OBJECT

public:
    explicit StoreBar(QWidget* parent = nullptr);

    void setListing(ListingPtr listing);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Share {
        QString name;
        quint64 bytes = 0;
    };
    void describe();

    std::vector<Share> m_shares; // largest first
    quint64 m_total = 0;
};

} // namespace wb::ui::library
