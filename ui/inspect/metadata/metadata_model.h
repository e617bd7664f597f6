// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "ui/shell/services.h"

#include <QAbstractItemModel>

#include <deque>

namespace wb::ui::inspect {

// The metadata of a model as a typed tree. Arrays show their elements; the rest of a long GGUF array, which opening did not keep,
// is read by a job when the view asks for more, a page at a time.
class MetadataModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum MetadataColumn { Key, Value, Type, MetadataColumnCount };
    enum MetadataRole { PathRole = Qt::UserRole + 100 }; // "tokenizer.ggml.tokens[17]"
    static constexpr std::uint64_t pageSize = 1000;

    MetadataModel(ModelPtr model, JobRunner* jobs, QObject* parent = nullptr);
    ~MetadataModel() override;

    void fillAll(); // makes every node that opening kept, so that a search sees them; nothing is read

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void failed(const wb::Error& error); // a page could not be read

private:
    struct Node;

    Node& nodeAt(const QModelIndex& index) const;
    QModelIndex indexOf(Node& node) const;
    void fill(Node& node);
    void fillBelow(Node& node);
    void fillElements(Node& node, const std::vector<wb::Value>& elements);
    bool isPaged(const Node& node) const;
    void addPage(Node& node, std::vector<wb::Value> page);
    QString path(const Node& node) const;
    QString typeText(const wb::Value& value) const;
    QString shownValue(const Node& node) const;

    ModelPtr m_model;
    JobRunner* m_jobs;
    std::unique_ptr<Node> m_root;
};

} // namespace wb::ui::inspect
