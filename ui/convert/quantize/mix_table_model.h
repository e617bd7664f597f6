// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/mix_session.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// All mixes of one model, a row each.
class MixTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Mix, Size, Bits, Error, Weighted, Published, Needs, Fits, columns };

    explicit MixTableModel(const MixSession& mixes, QObject* parent = nullptr);

    quant::FileType typeAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void renew();
    const quantize::MixRow& mix(int row) const { return m_mixes.table()->rows[static_cast<std::size_t>(row)]; }
    bool isAdvised(int row) const;
    std::optional<double> number(int row, int column) const;
    QString shown(int row, int column) const;

    const MixSession& m_mixes;
    int m_rows = 0;
};

} // namespace wb::ui::convert
