// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/quantize/key_override.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// The pairs of the file that a folder is converted into, a row each, in file order, with where each comes from. Single values can
// be edited: the model asks for it by `overrideWanted` and shows it once there is a new plan.
class PairsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, Type, OriginColumn, columns };

    using QAbstractTableModel::QAbstractTableModel;

    // `written` is the model that the plan makes (its values), `overrides` what was set again; both null: no rows.
    void setPlan(std::shared_ptr<const wb::convert::ConvertPlan> plan, ModelPtr written,
                 const std::vector<quantize::KeyOverride>& overrides = {});

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    // As --override-kv has it, "KEY=KIND:VALUE"; without a value the pair is to be as it was.
    void overrideWanted(const QString& key, const QString& text);

private:
    const wb::convert::PlannedPair& pair(int row) const { return m_plan->pairs[static_cast<std::size_t>(row)]; }
    const quantize::KeyOverride* rowOverride(int row) const; // null: none
    QString rowKind(int row) const;                          // of such a text; empty: the value cannot be set
    QString shown(int row, int column) const;

    std::shared_ptr<const wb::convert::ConvertPlan> m_plan;
    ModelPtr m_written;
    std::vector<quantize::KeyOverride> m_overrides;
};

} // namespace wb::ui::convert
