<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>wb::ui::ChatTab</name>
    <message numerus="yes">
        <source>%n tokens, %1 a second; the first after %2 s</source>
        <translation>
            <numerusform>%n token, %1 a second; the first after %2 s</numerusform>
            <numerusform>%n tokens, %1 a second; the first after %2 s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::InspectTab</name>
    <message numerus="yes">
        <source>%1 · %n file(s)</source>
        <translation>
            <numerusform>%1 · %n file</numerusform>
            <numerusform>%1 · %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n job(s) running</source>
        <translation>
            <numerusform>%n job running</numerusform>
            <numerusform>%n jobs running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) are still running.</source>
        <translation>
            <numerusform>%n job is still running.</numerusform>
            <numerusform>%n jobs are still running.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::SettingsDialog</name>
    <message numerus="yes">
        <source>All of this computer (%n)</source>
        <translation>
            <numerusform>All of this computer (%n)</numerusform>
            <numerusform>All of this computer (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanPage</name>
    <message numerus="yes">
        <source>And %n more like this.</source>
        <translation>
            <numerusform>And one more like this.</numerusform>
            <numerusform>And %n more like this.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HeaderCard</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::LevelsView</name>
    <message numerus="yes">
        <source>%n level(s) from %1 to %2</source>
        <translation>
            <numerusform>%n level from %1 to %2</numerusform>
            <numerusform>%n levels from %1 to %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelMapView</name>
    <message numerus="yes">
        <source>%1 (mean of %n tensor(s))</source>
        <translation>
            <numerusform>%1 (mean of %n tensor)</numerusform>
            <numerusform>%1 (mean of %n tensors)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelPage</name>
    <message numerus="yes">
        <source>Export %n tensor(s)</source>
        <translation>
            <numerusform>Export %n tensor</numerusform>
            <numerusform>Export %n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::NameTreeModel</name>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) with findings</source>
        <translation>
            <numerusform>%n tensor with findings</numerusform>
            <numerusform>%n tensors with findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TensorPanel</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TrendView</name>
    <message numerus="yes">
        <source>%1 (mean of %n tensor(s))</source>
        <translation>
            <numerusform>%1 (mean of %n tensor)</numerusform>
            <numerusform>%1 (mean of %n tensors)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
</TS>
