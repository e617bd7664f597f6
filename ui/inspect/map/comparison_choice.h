// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/latest_job.h"
#include "core/stats/map/subject.h"

#include <QComboBox>
#include <QList>

namespace wb::ui::inspect {

// A model whose tensors may be compared with those of another.
struct OtherModel {
    ModelPtr model;
    QString title;
};
using OtherModels = std::function<QList<OtherModel>()>;

// The other tensor of a comparison: a tensor of the same shape, of the same model, of another one that is open, or of a file. Of
// other models the tensor of the same name comes first, and stays chosen when the next tensor is inspected.
class ComparisonChoice : public QComboBox {
    Q_OBJECT

public:
    explicit ComparisonChoice(const Services& services, QWidget* parent = nullptr);

    void setOpenModels(OtherModels models) { m_openModels = std::move(models); } // that are open next to this one
    void setSubject(const ModelPtr& model, std::optional<std::uint32_t> tensor);
    void refresh(); // the list, as other models may be open now

    const std::optional<stats::OtherTensor>& chosen() const { return m_chosen; }
    void choose(const std::optional<stats::OtherTensor>& other); // without a signal

    // Opens a model in the background and chooses its tensor of the same name.
    void compareWithFile(const QString& path);

signals:
    void otherChosen(); // by the user, or from a file
    void failed(const QString& sentence);

private:
    bool fits(const stats::OtherTensor& other) const; // to the subject
    std::optional<stats::OtherTensor> namesake(const ModelPtr& model) const;
    void setChosen(const std::optional<stats::OtherTensor>& other);
    void addFile(const OtherModel& file);
    void add(const stats::OtherTensor& other, const QString& title);
    void fill();
    void showChosen();
    void activate(int index);

    const Services& m_services;
    LatestJob m_opening;
    OtherModels m_openModels;
    QList<OtherModel> m_files; // that were opened here
    ModelPtr m_model;
    std::optional<std::uint32_t> m_tensor;
    std::optional<stats::OtherTensor> m_chosen;
    std::vector<stats::OtherTensor> m_offered; // the data of an item is an index into it
};

} // namespace wb::ui::inspect
