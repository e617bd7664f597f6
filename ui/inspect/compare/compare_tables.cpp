// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/compare_tables.h"

#include "core/diff/lines.h"
#include "ui/widgets/numbers.h"

#include <QCoreApplication>
#include <QLocale>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t maxRows = 10'000; // of a table
constexpr qsizetype maxShown = 300;     // characters of a cell; a copy is complete

// Texts of this file; lupdate finds the context in the macro's name alone.
struct CompareTables {
    Q_DECLARE_TR_FUNCTIONS(CompareTables)
};

Cell cellOf(const QString& whole) {
    Cell cell;
    cell.shown = whole.left(maxShown).replace(u'\n', QStringLiteral("↵"));
    if (whole.size() > maxShown) cell.shown += QStringLiteral("…");
    if (cell.shown != whole) {
        cell.exact = whole;
        cell.toolTip = whole.left(4 * maxShown);
    }
    return cell;
}

Cell cellOf(const std::string& utf8) { return cellOf(text(utf8)); }

Cell stateCell(const QString& state, Severity severity) {
    Cell cell = cellOf(state);
    cell.severity = severity;
    return cell;
}

Cell numberCell(const QString& name, const QString& exact) {
    Cell cell;
    cell.shown = name;
    cell.exact = exact;
    cell.number = true;
    return cell;
}

Cell idCell(const std::optional<std::uint64_t>& id) {
    return id ? numberCell(shownCount(*id), QString::number(*id)) : numberCell(QString(), {});
}

} // namespace

TableContent metadataDifferenceTable(const diff::MetadataDifference& difference) {
    TableContent table{{CompareTables::tr("Key"), QStringLiteral("A"), QStringLiteral("B"), CompareTables::tr("Result")}, {}};
    const auto add = [&](const std::string& key, const std::string& a, const std::string& b, const QString& state,
                         Severity severity) {
        if (table.rows.size() < maxRows) table.rows.push_back({cellOf(key), cellOf(a), cellOf(b), stateCell(state, severity)});
    };
    for (const diff::ChangedKey& changed : difference.changed)
        add(changed.key, changed.a, changed.b, CompareTables::tr("different"), Severity::Warning);
    for (const diff::KeyOfOneSide& each : difference.onlyA)
        add(each.key, each.value, {}, CompareTables::tr("only in A"), Severity::Note);
    for (const diff::KeyOfOneSide& each : difference.onlyB)
        add(each.key, {}, each.value, CompareTables::tr("only in B"), Severity::Note);
    return table;
}

TableContent tokenDifferenceTable(const diff::TokenizerDifference& difference) {
    TableContent table{
        {CompareTables::tr("Token"), CompareTables::tr("ID in A"), CompareTables::tr("ID in B"), CompareTables::tr("Result")}, {}};
    for (const diff::ChangedToken& token : difference.tokens) {
        const QString state = !token.a   ? CompareTables::tr("only in B")
                              : !token.b ? CompareTables::tr("only in A")
                                         : CompareTables::tr("renumbered");
        table.rows.push_back({cellOf(token.text), idCell(token.a), idCell(token.b),
                              stateCell(state, token.a && token.b ? Severity::Warning : Severity::Note)});
    }
    return table;
}

TableContent templateDifferenceTable(const diff::Comparison& comparison) {
    TableContent table{{QStringLiteral("A"), QStringLiteral("B"), CompareTables::tr("Result")}, {}};
    const auto lines = diff::compareLines(comparison.templateA.value_or(""), comparison.templateB.value_or(""));
    for (const diff::ComparedLine& line : lines) {
        if (table.rows.size() == maxRows) break;
        const QString state = line.isEqual() ? CompareTables::tr("equal")
                              : !line.a      ? CompareTables::tr("only in B")
                              : !line.b      ? CompareTables::tr("only in A")
                                             : CompareTables::tr("different");
        Cell result = line.isEqual() ? cellOf(state) : stateCell(state, line.a && line.b ? Severity::Warning : Severity::Note);
        table.rows.push_back({cellOf(line.a.value_or("")), cellOf(line.b.value_or("")), std::move(result)});
    }
    return table;
}

TableContent measuresTable(const diff::Pair& pair, const diff::Detail* detail) {
    TableContent table{{CompareTables::tr("Measure"), CompareTables::tr("Value")}, {}};
    const auto add = [&](const QString& name, const QString& shown, const QString& exact) {
        table.rows.push_back({cellOf(name), numberCell(shown, exact)});
    };
    const auto addNumber = [&](const QString& name, const std::optional<double>& value) {
        add(name, shownOptional(value), exactOptional(value));
    };
    const auto addCount = [&](const QString& name, std::uint64_t count) { add(name, shownCount(count), QString::number(count)); };
    addCount(CompareTables::tr("Elements"), pair.elements);
    if (!pair.measures) return table;
    const diff::Measures& measures = *pair.measures;
    addCount(CompareTables::tr("Changed elements"), measures.changed);
    addNumber(CompareTables::tr("Relative error"), measures.relRmse);
    addNumber(CompareTables::tr("SNR (dB)"), measures.snrDb);
    addNumber(CompareTables::tr("Cosine similarity"), measures.cosine);
    addNumber(CompareTables::tr("RMSE"), measures.rmse);
    addNumber(CompareTables::tr("Max error"), measures.maxAbs);
    if (measures.maxAbs) {
        QStringList index;
        for (const std::uint64_t each : measures.maxAt) index << QString::number(each);
        const QString at = index.join(QStringLiteral(", ")) + (measures.maxIn.empty() ? QString() : u' ' + text(measures.maxIn));
        add(CompareTables::tr("Index in B of max error"), at, at);
    }
    if (!detail) return table;
    addCount(CompareTables::tr("Elements in the map"), detail->read);
    addCount(CompareTables::tr("Without finite difference"), detail->notFinite);
    return table;
}

} // namespace wb::ui::inspect
