<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Queue</name>
    <message numerus="yes">
        <source>The queue will then stop; %n more job(s) waiting.</source>
        <translation>
            <numerusform>The queue will then stop; %n more job waiting.</numerusform>
            <numerusform>The queue will then stop; %n more jobs waiting.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more job(s) waiting.</source>
        <translation>
            <numerusform>%n more job waiting.</numerusform>
            <numerusform>%n more jobs waiting.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queue paused; %n job(s) waiting.</source>
        <translation>
            <numerusform>Queue paused; %n job waiting.</numerusform>
            <numerusform>Queue paused; %n jobs waiting.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) finished.</source>
        <translation>
            <numerusform>%n job finished.</numerusform>
            <numerusform>%n jobs finished.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) failed.</source>
        <translation>
            <numerusform>%n job failed.</numerusform>
            <numerusform>%n jobs failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::BrowseTab</name>
    <message numerus="yes">
        <source>%n model(s) found so far, searching…</source>
        <translation>
            <numerusform>%n model found so far, searching…</numerusform>
            <numerusform>%n models found so far, searching…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s); scroll down for more</source>
        <translation>
            <numerusform>%n model; scroll down for more</numerusform>
            <numerusform>%n models; scroll down for more</numerusform>
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
        <source>%n model(s), some from cache: a hub is not responding</source>
        <translation>
            <numerusform>%n model, from cache: a hub is not responding</numerusform>
            <numerusform>%n models, some from cache: a hub is not responding</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n download(s) in Jobs</source>
        <translation>
            <numerusform>Show %n download in Jobs</numerusform>
            <numerusform>Show %n downloads in Jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsTab</name>
    <message numerus="yes">
        <source>%n interrupted or paused job(s) can be resumed.</source>
        <translation>
            <numerusform>%n interrupted or paused job can be resumed.</numerusform>
            <numerusform>%n interrupted or paused jobs can be resumed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::LibraryTab</name>
    <message numerus="yes">
        <source>%n file(s) are corrupted, starting with %1. Download them again.</source>
        <translation>
            <numerusform>%n file is corrupted: %1. Download it again.</numerusform>
            <numerusform>%n files are corrupted, starting with %1. Download them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) match their recorded hashes.</source>
        <translation>
            <numerusform>%n file matches its recorded hash.</numerusform>
            <numerusform>%n files match their recorded hashes.</numerusform>
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
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unfinished job(s)</source>
        <translation>
            <numerusform>%n unfinished job</numerusform>
            <numerusform>%n unfinished jobs</numerusform>
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
        <source>All (%n)</source>
        <translation>
            <numerusform>All (%n)</numerusform>
            <numerusform>All (%n)</numerusform>
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
        <source>%n identical file(s) on %1</source>
        <translation>
            <numerusform>%n identical file on %1</numerusform>
            <numerusform>%n identical files on %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ChatSession</name>
    <message numerus="yes">
        <source>%n tokens · %1 tokens/s · first token after %2 s</source>
        <translation>
            <numerusform>%n token · %1 tokens/s · first token after %2 s</numerusform>
            <numerusform>%n tokens · %1 tokens/s · first token after %2 s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::TalkPage</name>
    <message numerus="yes">
        <source>Drop the first %n messages from context</source>
        <translation>
            <numerusform>Drop the first message from context</numerusform>
            <numerusform>Drop the first %n messages from context</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Transcript</name>
    <message numerus="yes">
        <source>Show %n earlier messages</source>
        <translation>
            <numerusform>Show %n earlier message</numerusform>
            <numerusform>Show %n earlier messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reasoning (%n words)</source>
        <translation>
            <numerusform>Reasoning (%n word)</numerusform>
            <numerusform>Reasoning (%n words)</numerusform>
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
        <source>And %n similar messages.</source>
        <translation>
            <numerusform>And one similar message.</numerusform>
            <numerusform>And %n similar messages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::QueueStrip</name>
    <message numerus="yes">
        <source>%n unfinished job(s).</source>
        <translation>
            <numerusform>%n unfinished job.</numerusform>
            <numerusform>%n unfinished jobs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::SplitPanel</name>
    <message numerus="yes">
        <source>%n output file(s)</source>
        <translation>
            <numerusform>%n output file</numerusform>
            <numerusform>%n output files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::CheckpointPanel</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ComparisonModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
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
    <message numerus="yes">
        <source>newest of %n checkpoint(s): %1</source>
        <translation>
            <numerusform>only checkpoint: %1</numerusform>
            <numerusform>newest of %n checkpoints: %1</numerusform>
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
        <source>%n field(s)</source>
        <translation>
            <numerusform>%n field</numerusform>
            <numerusform>%n fields</numerusform>
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
        <source>%n module(s)</source>
        <translation>
            <numerusform>%n module</numerusform>
            <numerusform>%n modules</numerusform>
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
        <source>%n outlier tensor(s)</source>
        <translation>
            <numerusform>%n outlier tensor</numerusform>
            <numerusform>%n outlier tensors</numerusform>
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
    <message numerus="yes">
        <source>Save values of %n tensor(s)</source>
        <translation>
            <numerusform>Save values of %n tensor</numerusform>
            <numerusform>Save values of %n tensors</numerusform>
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
        <source>%n tensor(s) with issues</source>
        <translation>
            <numerusform>%n tensor with issues</numerusform>
            <numerusform>%n tensors with issues</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::StoragePanel</name>
    <message numerus="yes">
        <source>%n segment(s), concatenated on read</source>
        <translation>
            <numerusform>%n segment, concatenated on read</numerusform>
            <numerusform>%n segments, concatenated on read</numerusform>
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
        <source>%n identical model(s).</source>
        <translation>
            <numerusform>%n identical model.</numerusform>
            <numerusform>%n identical models.</numerusform>
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
    <name>wb::ui::memory::DevicesPage</name>
    <message numerus="yes">
        <source>Best placement: %n layer(s) on the GPU, the rest on the CPU.</source>
        <translation>
            <numerusform>Best placement: %n layer on the GPU, the rest on the CPU.</numerusform>
            <numerusform>Best placement: %n layers on the GPU, the rest on the CPU.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Experts of the first %n layer(s) stay in RAM.</source>
        <translation>
            <numerusform>Experts of the first %n layer stay in RAM.</numerusform>
            <numerusform>Experts of the first %n layers stay in RAM.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::MemoryView</name>
    <message numerus="yes">
        <source>%1, %2: %3 on each of %n GPU(s), %4 of %5 parameters trainable; %6</source>
        <translation>
            <numerusform>%1, %2: %3 on %n GPU, %4 of %5 parameters trainable; %6</numerusform>
            <numerusform>%1, %2: %3 on each of %n GPUs, %4 of %5 parameters trainable; %6</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; calibrated, ±%1 from %n load(s)</source>
        <translation>
            <numerusform>; calibrated, ±%1 from %n load</numerusform>
            <numerusform>; calibrated, ±%1 from %n loads</numerusform>
        </translation>
    </message>
</context>
</TS>
