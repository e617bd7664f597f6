<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
</TS>
