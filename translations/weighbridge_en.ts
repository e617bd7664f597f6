<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Queue</name>
    <message numerus="yes">
        <source>Then the queue stops; %n more run(s) wait.</source>
        <translation>
            <numerusform>Then the queue stops; %n more run waits.</numerusform>
            <numerusform>Then the queue stops; %n more runs wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more run(s) wait.</source>
        <translation>
            <numerusform>%n more run waits.</numerusform>
            <numerusform>%n more runs wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The queue stands still; %n run(s) wait.</source>
        <translation>
            <numerusform>The queue stands still; %n run waits.</numerusform>
            <numerusform>The queue stands still; %n runs wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are done.</source>
        <translation>
            <numerusform>%n run is done.</numerusform>
            <numerusform>%n runs are done.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed.</source>
        <translation>
            <numerusform>%n run failed.</numerusform>
            <numerusform>%n runs failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::BrowseTab</name>
    <message numerus="yes">
        <source>%n model(s) so far, searching…</source>
        <translation>
            <numerusform>%n model so far, searching…</numerusform>
            <numerusform>%n models so far, searching…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s); scroll for more</source>
        <translation>
            <numerusform>%n model; scroll for more</numerusform>
            <numerusform>%n models; scroll for more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s), some as they were seen last: a hub does not answer</source>
        <translation>
            <numerusform>%n model, as it was seen last: a hub does not answer</numerusform>
            <numerusform>%n models, some as they were seen last: a hub does not answer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::ConvertTab</name>
    <message numerus="yes">
        <source>%n run(s) did not end and can be continued or discarded.</source>
        <translation>
            <numerusform>%n run did not end and can be continued or discarded.</numerusform>
            <numerusform>%n runs did not end and can be continued or discarded.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::LibraryTab</name>
    <message numerus="yes">
        <source>%n file(s) are damaged, the first is %1. Download them again.</source>
        <translation>
            <numerusform>%n file is damaged: %1. Download it again.</numerusform>
            <numerusform>%n files are damaged, the first is %1. Download them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are as their store records them.</source>
        <translation>
            <numerusform>%n file is as its store records it.</numerusform>
            <numerusform>%n files are as their store records them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n model(s)</source>
        <translation>
            <numerusform>%1 of %n model</numerusform>
            <numerusform>%1 of %n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are moved to the trash. Emptying it frees %1.</source>
        <translation>
            <numerusform>%n file is moved to the trash. Emptying it frees %1.</numerusform>
            <numerusform>%n files are moved to the trash. Emptying it frees %1.</numerusform>
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
    <message numerus="yes">
        <source>%n job(s) paused</source>
        <translation>
            <numerusform>%n job paused</numerusform>
            <numerusform>%n jobs paused</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::RecentModel</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
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
    <name>wb::ui::browse::DownloadsModel</name>
    <message numerus="yes">
        <source>%1 · %n file(s)</source>
        <translation>
            <numerusform>%1 · %n file</numerusform>
            <numerusform>%1 · %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::PageView</name>
    <message numerus="yes">
        <source>%1 (%n file(s))</source>
        <translation>
            <numerusform>%1 (%n file)</numerusform>
            <numerusform>%1 (%n files)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) with the same bytes on %1</source>
        <translation>
            <numerusform>%n file with the same bytes on %1</numerusform>
            <numerusform>%n files with the same bytes on %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ChatSession</name>
    <message numerus="yes">
        <source>%n tokens, %1 a second; the first after %2 s</source>
        <translation>
            <numerusform>%n token, %1 a second; the first after %2 s</numerusform>
            <numerusform>%n tokens, %1 a second; the first after %2 s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::TalkPage</name>
    <message numerus="yes">
        <source>Leave Out the First %n Turns</source>
        <translation>
            <numerusform>Leave Out the First Turn</numerusform>
            <numerusform>Leave Out the First %n Turns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Transcript</name>
    <message numerus="yes">
        <source>Show %n earlier turns</source>
        <translation>
            <numerusform>Show %n earlier turn</numerusform>
            <numerusform>Show %n earlier turns</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reasoning, %n words</source>
        <translation>
            <numerusform>Reasoning, %n word</numerusform>
            <numerusform>Reasoning, %n words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ChoicesPanel</name>
    <message numerus="yes">
        <source>%n file(s), %1</source>
        <translation>
            <numerusform>%n file, %1</numerusform>
            <numerusform>%n files, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
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
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n head(s)</source>
        <translation>
            <numerusform>%n head</numerusform>
            <numerusform>%n heads</numerusform>
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
    <name>wb::ui::inspect::MetadataModel</name>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>%n member</numerusform>
            <numerusform>%n members</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
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
    <message numerus="yes">
        <source>%n part(s)</source>
        <translation>
            <numerusform>%n part</numerusform>
            <numerusform>%n parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) leave their family</source>
        <translation>
            <numerusform>%n tensor leaves its family</numerusform>
            <numerusform>%n tensors leave their family</numerusform>
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
    <name>wb::ui::inspect::StoragePanel</name>
    <message numerus="yes">
        <source>%n piece(s), joined when they are read</source>
        <translation>
            <numerusform>%n piece, joined when it is read</numerusform>
            <numerusform>%n pieces, joined when they are read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n element(s)</source>
        <translation>
            <numerusform>%n element</numerusform>
            <numerusform>%n elements</numerusform>
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
<context>
    <name>wb::ui::library::LibraryModel</name>
    <message numerus="yes">
        <source>%n other model(s) have the same bytes.</source>
        <translation>
            <numerusform>%n other model has the same bytes.</numerusform>
            <numerusform>%n other models have the same bytes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::library::LibrarySession</name>
    <message numerus="yes">
        <source>Verify %n model(s)</source>
        <translation>
            <numerusform>Verify %n model</numerusform>
            <numerusform>Verify %n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::MemoryView</name>
    <message numerus="yes">
        <source>%1, %2: %3 on each of %n GPU(s), %4 of %5 parameters trained; %6</source>
        <translation>
            <numerusform>%1, %2: %3 on each of %n GPU, %4 of %5 parameters trained; %6</numerusform>
            <numerusform>%1, %2: %3 on each of %n GPUs, %4 of %5 parameters trained; %6</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; calibrated, ± %1 from %n load(s)</source>
        <translation>
            <numerusform>; calibrated, ± %1 from %n load</numerusform>
            <numerusform>; calibrated, ± %1 from %n loads</numerusform>
        </translation>
    </message>
</context>
</TS>
