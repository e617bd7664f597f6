// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/quantize/quantize_run.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// Sort by this role; texts are for eyes.
inline constexpr int SortRole = Qt::UserRole + 1;
inline constexpr int TypesRole = Qt::UserRole + 2; // QStringList of the types the tensor can become
inline constexpr int ShareRole = Qt::UserRole + 3; // length of a bar in [0, 1]

// The tensors of a plan, a row each, in file order. The type they become can be edited; the model asks for it by `typeWanted` and
// shows it once there is a new plan.
class PlanModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, ShapeColumn, From, To, Bytes, Bits, SourceColumn, TransformColumn, columns };

    using QAbstractTableModel::QAbstractTableModel;

    // `chosen` are the names of tensors whose type was chosen one by one; they are shown in bold.
    // `conversion` is the plan that makes the model of a folder, whose tensors are the model's; null: it is a GGUF file, and the
    // last two columns are empty.
    void setPlan(std::shared_ptr<const quantize::QuantizePlan> plan, const std::map<std::string, Dtype>& chosen,
                 std::shared_ptr<const wb::convert::ConvertPlan> conversion = nullptr);
    std::string tensorName(int row) const;
    bool isFixed(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void typeWanted(const QString& tensor, const QString& type); // an empty type: what the mix says

private:
    const quantize::PlannedTensor& planned(int row) const { return m_plan->tensors[static_cast<std::size_t>(row)]; }
    const TensorInfo& tensor(int row) const { return m_plan->model->tensors[planned(row).source]; }
    QString shown(int row, int column) const;
    QVariant sortKey(int row, int column) const;
    QStringList rowTypes(int row) const;
    const wb::convert::PlannedTensor* converted(int row) const; // null: not of a folder
    QString sourceText(int row) const;
    QString transformText(int row) const;

    std::shared_ptr<const quantize::QuantizePlan> m_plan;
    std::shared_ptr<const wb::convert::ConvertPlan> m_conversion;
    std::vector<bool> m_chosen;
};

// The tensors of a finished run with what each lost.
class ErrorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, From, To, Relative, Rmse, Cosine, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setOutcome(std::shared_ptr<const quantize::QuantizePlan> plan, std::vector<wb::convert::TensorError> errors);
    bool isForPlan(const std::shared_ptr<const quantize::QuantizePlan>& plan,
                   const std::vector<wb::convert::TensorError>& errors) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<double> number(int row, int column) const;

    std::shared_ptr<const quantize::QuantizePlan> m_plan;
    std::vector<wb::convert::TensorError> m_errors;
    double m_largest = 0; // relative error
};

} // namespace wb::ui::convert
