// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/metadata_model.h"

#include "core/formats/gguf/file_type.h"
#include "core/formats/gguf/gguf.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/shell/jobs/start_job.h"
#include "ui/widgets/plain_text.h"

#include <QRegularExpression>

namespace wb::ui::inspect {
namespace {

// The summary of core, with its counts in the language of the window.
QString summaryText(const wb::Value& value, std::size_t maximumBytes) {
    QString shown = text(summary(value, maximumBytes));
    const auto members = [](quint64 count) {
        return QStringLiteral("{%1}").arg(MetadataModel::tr("%n field(s)", nullptr, static_cast<int>(count)));
    };
    if (const ValueObject* object = value.object()) return members(object->count);
    if (!value.array()) return shown;
    static const QRegularExpression inner(QStringLiteral("(?<=\\[|, )\\{(\\d+) members?\\}(?=[,\\]])"));
    for (auto found = inner.match(shown); found.hasMatch(); found = inner.match(shown, found.capturedStart() + 1))
        shown.replace(found.capturedStart(), found.capturedLength(), members(found.captured(1).toULongLong()));
    static const QRegularExpression cut(QStringLiteral("… (\\d+) values\\]$"));
    const auto found = cut.match(shown);
    if (!found.hasMatch()) return shown;
    const int count = static_cast<int>(value.array()->count);
    return shown.left(found.capturedStart()) + QStringLiteral("… %1]").arg(MetadataModel::tr("%n value(s)", nullptr, count));
}

} // namespace

struct MetadataModel::Node {
    Node* parent = nullptr;
    int row = 0;
    QString key;
    const wb::Value* value = nullptr; // null for the root; lives in the model or in a parent's pages
    std::vector<std::unique_ptr<Node>> children;
    std::deque<std::vector<wb::Value>> pages; // elements read later
    bool filled = false;
    bool reading = false;
    bool gaveUp = false; // a page could not be read; asking again would ask for ever

    Node* add(QString childKey, const wb::Value& childValue) {
        auto child = std::make_unique<Node>();
        child->parent = this;
        child->row = static_cast<int>(children.size());
        child->key = std::move(childKey);
        child->value = &childValue;
        return children.emplace_back(std::move(child)).get();
    }
};

MetadataModel::MetadataModel(ModelPtr model, JobRunner* jobs, QObject* parent)
    : QAbstractItemModel(parent), m_model(std::move(model)), m_jobs(jobs), m_root(std::make_unique<Node>()) {
    for (const Member& member : m_model->metadata.members) m_root->add(text(member.key), member.value);
    m_root->filled = true;
}

MetadataModel::~MetadataModel() = default;

MetadataModel::Node& MetadataModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() ? *static_cast<Node*>(index.internalPointer()) : *m_root;
}

QModelIndex MetadataModel::indexOf(Node& node) const {
    return &node == m_root.get() ? QModelIndex() : createIndex(node.row, 0, &node);
}

QModelIndex MetadataModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, nodeAt(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex MetadataModel::parent(const QModelIndex& index) const {
    return index.isValid() ? indexOf(*nodeAt(index).parent) : QModelIndex();
}

int MetadataModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeAt(parent).children.size());
}

int MetadataModel::columnCount(const QModelIndex&) const { return MetadataColumnCount; }

bool MetadataModel::hasChildren(const QModelIndex& parent) const {
    if (parent.column() > 0) return false;
    const Node& node = nodeAt(parent);
    if (node.filled || !node.value) return !node.children.empty();
    if (const ValueObject* object = node.value->object()) return !object->members.empty();
    const ValueArray* array = node.value->array();
    return array && !array->first.empty();
}

// Short arrays stay on their parent's line as well, but every array and object opens, so that each value can be copied alone.
bool MetadataModel::canFetchMore(const QModelIndex& parent) const {
    if (parent.column() > 0) return false;
    const Node& node = nodeAt(parent);
    if (!node.filled) return hasChildren(parent);
    return isPaged(node) && !node.reading && !node.gaveUp;
}

bool MetadataModel::isPaged(const Node& node) const {
    const ValueArray* array = node.value ? node.value->array() : nullptr;
    return m_jobs && m_model->format == FormatId::Gguf && node.parent == m_root.get() && array && array->position &&
           node.children.size() < array->count;
}

void MetadataModel::fetchMore(const QModelIndex& parent) {
    Node& node = nodeAt(parent);
    if (!node.filled) return fill(node);
    if (!canFetchMore(parent)) return;
    node.reading = true;
    const std::uint64_t first = node.children.size();
    const std::uint64_t count = std::min(pageSize, node.value->array()->count - first);
    startJob<std::vector<wb::Value>>(
        *m_jobs, tr("Loading more values"), this,
        [model = m_model, key = node.key.toStdString(), first, count](const Progress&) {
            return gguf::readArray(*model, key, first, count);
        },
        [this, &node](Result<std::vector<wb::Value>> page) {
            node.reading = false;
            node.gaveUp = !page || page->empty();
            if (!page) return emit failed(page.error());
            addPage(node, std::move(*page));
        },
        false);
}

void MetadataModel::fillAll() { fillBelow(*m_root); }

void MetadataModel::fillBelow(Node& node) {
    if (!node.filled && hasChildren(indexOf(node))) fill(node);
    for (const auto& child : node.children) fillBelow(*child);
}

void MetadataModel::fill(Node& node) {
    node.filled = true;
    const ValueObject* object = node.value->object();
    const std::size_t count = object ? object->members.size() : node.value->array()->first.size();
    if (count == 0) return;
    beginInsertRows(indexOf(node), 0, static_cast<int>(count) - 1);
    if (object)
        for (const Member& member : object->members) node.add(text(member.key), member.value);
    else fillElements(node, node.value->array()->first);
    endInsertRows();
}

void MetadataModel::fillElements(Node& node, const std::vector<wb::Value>& elements) {
    for (const wb::Value& element : elements) node.add(QStringLiteral("[%1]").arg(node.children.size()), element);
}

void MetadataModel::addPage(Node& node, std::vector<wb::Value> page) {
    if (page.empty()) return;
    const int first = static_cast<int>(node.children.size());
    beginInsertRows(indexOf(node), first, first + static_cast<int>(page.size()) - 1);
    fillElements(node, node.pages.emplace_back(std::move(page)));
    endInsertRows();
}

QString MetadataModel::path(const Node& node) const {
    if (node.parent == m_root.get()) return node.key;
    return path(*node.parent) + (node.key.startsWith(QLatin1Char('[')) ? node.key : QLatin1Char('.') + node.key);
}

QString MetadataModel::typeText(const wb::Value& value) const {
    const QString type = QString::fromLatin1(valueTypeName(value.type));
    const ValueArray* array = value.array();
    if (!array) return type;
    const QString count = shownCount(array->count);
    if (array->elementType == ValueType::Null) return tr("array of %1").arg(count);
    return tr("%1 × %2").arg(QString::fromLatin1(valueTypeName(array->elementType)), count);
}

// A number that has a name is shown with it.
QString MetadataModel::shownValue(const Node& node) const {
    const QString shown = summaryText(*node.value, 200);
    if (path(node) != QLatin1String("general.file_type")) return shown;
    const auto number = node.value->unsignedNumber();
    const gguf::FileTypeInfo* const type = number ? gguf::fileTypeOfValue(*number & ~std::uint64_t{1024}) : nullptr; // guessed
    return type ? QStringLiteral("%1 (%2)").arg(shown, QLatin1String(type->name)) : shown;
}

QVariant MetadataModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Node& node = nodeAt(index);
    const auto whole = [&] { return summaryText(*node.value, 1 << 20); };
    switch (role) {
    case PathRole: return path(node);
    case Qt::DisplayRole:
        if (index.column() == Key) return node.key;
        return index.column() == Value ? shownValue(node) : typeText(*node.value);
    case ExactRole:
        if (index.column() == Key) return path(node);
        if (const std::string* string = node.value->string())
            return index.column() == Value ? text(*string) : typeText(*node.value);
        return index.column() == Value ? whole() : typeText(*node.value);
    case Qt::ToolTipRole: return plainText(index.column() == Value ? summaryText(*node.value, 1000) : path(node));
    default: return {};
    }
}

QVariant MetadataModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Key: return tr("Key");
    case Value: return tr("Value");
    case Type: return tr("Type");
    default: return {};
    }
}

} // namespace wb::ui::inspect
