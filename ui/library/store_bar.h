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
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override; // the legend takes further lines where it needs them

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Share {
        QString name;
        quint64 bytes = 0;
    };
    struct Label {
        QString text;
        QRect place; // from the legend's left upper corner
    };
    std::vector<Label> placeLabels(int width) const;
    int lineHeight() const;
    void describe();

    std::vector<Share> m_shares; // largest first
    quint64 m_total = 0;
};

} // namespace wb::ui::library
