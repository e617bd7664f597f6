// SPDX-License-Identifier: MIT
#pragma once

#include "ui/plots/color_map.h"
#include "ui/plots/map_layers.h"
#include "ui/plots/map_viewport.h"
#include "ui/widgets/imgui/plot_words.h"

#include <optional>

namespace wb::ui {

// One matrix as a picture that can be flown through: the whole of it from its overview map, single elements when near. Next to it
// are the greatest magnitude and the root mean square of every row and column, in step with the picture, and the scale of colors.
//
// Mouse: drag to pan, wheel to zoom, point to read. Keys: arrows pan, + and - zoom, Home shows all, Ctrl and an arrow move the
// marked element. The reading is also the accessible description.
class HeatMap : public ImGuiWidget {
    Q_OBJECT

public:
    struct Place {
        quint64 row = 0;
        quint64 column = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };

    explicit HeatMap(QWidget* parent = nullptr, std::shared_ptr<gpu::imview::Renderer> renderer = {}); // null: that of the process

    // Null: nothing to show, but `reason`. Another map of the same matrix keeps the visible area.
    void setMap(std::shared_ptr<const stats::TensorMap> map, const QString& reason = {});

    // The elements of the two tensors whose difference is shown, over the same region as the difference. Null: it is none.
    struct Compared {
        std::shared_ptr<const stats::MapGrid> own, other;
    };
    void setDetail(std::shared_ptr<const stats::MapGrid> detail, Compared compared = {}); // the answer to detailWanted
    void setStatistic(MapStatistic statistic);
    void setScale(ValueScale scale, double clip); // clip: where Clipped ends; 0: nowhere

    void fit();
    void zoom(double factor); // about the middle
    void unmark();
    void goTo(quint64 row, quint64 column); // near enough to see the element, and marks it; waits for the map if none exists

    // More about the marked element, shown next to it while it is the marked one.
    void setNote(quint64 row, quint64 column, const QStringList& lines);

    std::optional<Place> place() const { return m_place; }
    const MapViewport& viewport() const { return m_viewport; }
    const stats::MapGrid* shownGrid() const; // what the picture is made of now; null without a map
    QString sentence() const;                // on the marked element, or on the picture

    // What is in an element at the nearest zooms: its value, or below each other those of both tensors of a comparison. Empty
    // where elements are too small for that.
    std::vector<float> valuesIn(quint64 row, quint64 column) const;

    QSize sizeHint() const override { return {640, 420}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

signals:
    // A nearer look at a part of the matrix, in cells of this many elements, would make the picture sharper.
    void detailWanted(const wb::stats::MatrixRegion& region, quint32 cell);
    void placeChanged();
    void viewChanged();

protected:
    void createTextures() override { m_layers.forget(); }
    void drawPlot(ImDrawList& list, PlotWords& words) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRectF mapPixels() const;
    std::size_t level() const;
    bool detailFits() const;
    void updateView();
    void wantDetail();
    void setPlace(const std::optional<Place>& place);
    void movePlace(int rows, int columns);
    std::optional<Place> placeAt(const QPointF& position) const;
    double largestShown() const;
    gpu::imview::ColorScale colors() const;

    void drawFrame(ImDrawList& list) const;
    void drawRidges(ImDrawList& list, PlotWords& words) const;
    void drawAxes(ImDrawList& list, PlotWords& words) const;
    void drawLegend(ImDrawList& list, PlotWords& words) const;
    void drawValues(PlotWords& words) const;
    bool hasRoomForValues() const;
    void drawPlace(ImDrawList& list, PlotWords& words) const;
    void drawReadout(PlotWords& words) const;
    QString cellSentence(const Place& place) const;

    std::shared_ptr<const stats::TensorMap> m_map;
    std::shared_ptr<const stats::MapGrid> m_detail;
    Compared m_compared;
    QString m_reason;
    MapStatistic m_statistic = MapStatistic::Largest;
    ValueScale m_scale = ValueScale::Linear;
    double m_clip = 0;
    MapViewport m_viewport;
    MapLayers m_layers;
    std::vector<double> m_largestMean; // of each level
    stats::MatrixRegion m_asked;       // the nearer look that was last asked for
    std::uint32_t m_askedCell = 0;
    double m_askedMargin = 0;
    std::optional<Place> m_place, m_notePlace, m_wanted;
    QStringList m_note;
    std::optional<QPointF> m_dragged; // where the pressed mouse was last
};

} // namespace wb::ui
