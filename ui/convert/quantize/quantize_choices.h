// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/plan_file.h"
#include "ui/convert/quantize/history.h"

#include <QObject>
#include <QStringList>

namespace wb::ui::convert {

// The result of choosing types by size or memory, next to the reference's mixes.
struct BudgetResult {
    double error = 0;      // squared, of all tensors
    QString stock;         // the reference's largest mix of at most that size; empty: none is so small
    double stockError = 0; // of that mix
    bool exact = false;    // measured on every row, not on samples
    QStringList warnings;  // what the device that measured did wrong
};

// The goal of the chosen types.
struct ChosenSize {
    quint64 fileBytes = 0;
    bool everyRow = false;
    bool operator==(const ChosenSize&) const = default;
};

// The user's choices for a quantization, with undo and redo: values only. Whoever plans by them listens to changed(). GUI thread
// only.
class QuantizeChoices : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const quantize::QuantizeRequest& request() const { return m_now.request; } // without the matrix
    const quantize::MatrixFile& matrix() const { return m_now.matrix; }
    const quantize::FolderChoices& folder() const { return m_now.folder; } // where the model is a Hugging Face folder
    QString matrixPath() const { return QString::fromStdString(m_now.matrix.path); }
    const std::optional<BudgetResult>& budgetResult() const {
        return m_now.budgetResult;
    } // empty: the types were not chosen by one
    // Empty: the types were not chosen for a size. Changes of single tensors, which end budgetResult(), leave it as it is.
    const std::optional<ChosenSize>& chosenSize() const { return m_now.chosenSize; }
    bool isDefault() const;

    // Each of these is one step of undo and emits changed().
    void setMix(quant::FileType type);   // drops the types chosen one by one
    void setMatrix(const QString& path); // empty: none
    void setAllowRequantize(bool allow);
    void setKeepSplit(bool keep);
    void setSplit(const quantize::FileSplit& split);                                   // ends keepSplit
    void setCopies(quantize::CopyMode copies);                                         // None: back to a quantization type
    void setPure(bool pure);                                                           // one type for every tensor instead of a mix
    void setTypes(const std::vector<std::string>& tensors, std::optional<Dtype> type); // empty: what the mix says
    void setByBudget(quantize::QuantizeRequest request, ChosenSize size, BudgetResult result);
    void setFromPlan(const quantize::PlanFile& plan);
    void setModelName(const QString& name);                                                  // empty: from the folder
    void setPreTokenizer(const QString& name);                                               // empty: recognized
    void setChatTemplate(const QString& text);                                               // empty: the folder's
    void setOverride(const std::string& key, std::optional<quantize::KeyOverride> override); // empty: the pair is as it was
    void setAdapters(std::vector<wb::convert::AdapterFile> adapters);
    void setBase(const QString& folder); // of the model that the adapter was made for

    void undo();
    void redo();
    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }

    // These emit nothing and leave no step of undo.
    void clear();
    void beginWith(quant::FileType type);                 // as an automatic choice
    void restore(const quantize::PlanFile& plan);         // those of an earlier session
    void setOwnTypes(std::map<std::string, Dtype> types); // names the same types by fewer tensors

signals:
    void changed();

private:
    struct State {
        quantize::QuantizeRequest request;
        quantize::MatrixFile matrix;
        std::optional<BudgetResult> budgetResult;
        std::optional<ChosenSize> chosenSize;
        quantize::FolderChoices folder;
    };
    template <typename Change>
    void change(Change apply);

    State m_now;
    quant::FileType m_usual = quant::MixOptions().fileType; // the type before anything is chosen
    History<State> m_history;
};

} // namespace wb::ui::convert
