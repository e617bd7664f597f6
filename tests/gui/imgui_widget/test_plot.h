// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/imgui/imgui_widget.h"
#include "ui/widgets/imgui/plot_drawing.h"

#include <array>

namespace wb::test {

// A plot with one of everything: a red rectangle, a texture, two text fields, an area to drag, a word.
class TestPlot : public ui::ImGuiWidget {
    Q_OBJECT

public:
    explicit TestPlot(std::shared_ptr<gpu::imview::Renderer> renderer = nullptr, QWidget* parent = nullptr)
        : ImGuiWidget(std::move(renderer), parent) {
        resize(220, 180);
    }

    static constexpr QPoint inRed{10, 10}, inTexture{80, 10}, inField{60, 60}, inDragArea{70, 130}, nowhere{200, 20};

    using ImGuiWidget::inputMethodQuery;
    QString field() const { return QString::fromUtf8(m_text.data()); }
    QString secondField() const { return QString::fromUtf8(m_second.data()); }

    int frames = 0, texturesMade = 0, presses = 0, clicks = 0;
    QPointF dragged, wheeled;
    ImVec4 textColor{};
    bool changesTextures = false; // in every frame

protected:
    void createTextures() override {
        ++texturesMade;
        m_texture = createTexture(1, 1);
        updateTexture(m_texture, {0, 0, 1, 1}, std::array<std::uint32_t, 1>{0xff00ff00});
    }

    void drawPlot(ImDrawList& list, ui::PlotWords& words) override {
        ++frames;
        const ImGuiIO& io = ImGui::GetIO();
        wheeled += QPointF(static_cast<double>(io.MouseWheelH), static_cast<double>(io.MouseWheel));
        presses += ImGui::IsMouseClicked(0);
        textColor = ImGui::GetStyleColorVec4(ImGuiCol_Text);
        list.AddRectFilled({0, 0}, {40, 30}, 0xff0000ff);
        if (changesTextures) updateTexture(m_texture, {0, 0, 1, 1}, std::array<std::uint32_t, 1>{0xff00ff00});
        ui::drawImage(list, {QRectF(50, 0, 100, 30)}, m_texture, {0, 0}, {1, 1});
        textField("##first", 50, m_text);
        textField("##second", 80, m_second);
        ImGui::SetCursorPos({50, 110});
        if (ImGui::InvisibleButton("area", {60, 40})) ++clicks;
        if (ImGui::IsItemActive()) dragged += QPointF(static_cast<double>(io.MouseDelta.x), static_cast<double>(io.MouseDelta.y));
        words.add(QRectF(4, 155, 200, 24), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("数字 0123"),
                  palette().color(QPalette::WindowText));
    }

private:
    static void textField(const char* name, float y, std::array<char, 64>& text) {
        ImGui::SetCursorPos({50, y});
        ImGui::SetNextItemWidth(120);
        ImGui::InputText(name, text.data(), text.size());
    }

    TextureId m_texture = 0;
    std::array<char, 64> m_text{}, m_second{};
};

} // namespace wb::test
