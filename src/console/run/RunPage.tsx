/** @jsxImportSource react */
import { type CSSProperties, lazy, Suspense, useEffect, useRef, useState } from "react";
import type { Blocker } from "../../operations/index.js";
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Approvals } from "../inbox/Approvals.js";
import { Decisions } from "../inbox/Decisions.js";
import { NodePanel } from "../node/NodePanel.js";
import { Json } from "../parts/Json.js";
import { Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { EventsView } from "./EventsView.js";
import { Reasons } from "./Reasons.js";
import { RunHeader } from "./RunHeader.js";
import { Splitter, useShare } from "./Splitter.js";
import { TaskTree } from "./TaskTree.js";
import { useNewestFrame } from "./use-frame.js";

const TimelineView = lazy(() => import("../timeline/TimelineView.js"));
const GraphView = lazy(() => import("../graph/GraphView.js"));
const FramesView = lazy(() => import("./frames/FramesView.js"));

interface RunPageProps {
  runId: string;
  tab: string;
  nodeId: string | undefined;
}

/** One run as the gateway describes it: where it stands and why, what can be done, its tasks and its events. */
export function RunPage({ runId, tab, nodeId }: RunPageProps) {
  const isDrawn = tab === "nodes" || tab === "graph";
  const [frameNo, setFrameNo] = useState<number>();
  // Asked for first: it does not wait for the run.
  const frame = useNewestFrame(runId, isDrawn ? frameNo : 0);
  const { data, ...reading } = useMethod("inspectRun", { runId });
  useRefusal(reading.error);
  const newest = data?.run.frameNo;
  if (newest !== frameNo) setFrameNo(newest);
  const [share, setShare] = useShare();
  const heading = useRef<HTMLHeadingElement>(null);
  // Who came by a link or the keyboard starts at the top of the new page.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  if (data === undefined) {
    return (
      <>
        <h1 ref={heading} tabIndex={-1}>
          Run <code>{shown(runId)}</code>
        </h1>
        <Reading {...reading} />
      </>
    );
  }
  const { run, nodes, input } = data;
  const tabs = [
    ["nodes", "Tasks", places.run(runId)],
    ["graph", "Graph", places.graph(runId)],
    ["timeline", "Timeline", places.timeline(runId)],
    ["events", "Events", places.events(runId)],
    ["frames", "Frames", places.frames(runId)],
    ["input", "Input", { parts: ["runs", runId, "input"] }],
  ] as const;
  const reasons = ownReasons(run.blockers);
  return (
    <div className="run-view">
      <RunHeader inspection={data} heading={heading} />
      <Reasons blockers={reasons} isDriven={run.runState === "running"} />
      <Approvals filter={{ runId }} heading="Waits for a decision" hidesNothing />
      {nodes.some(({ kind }) => kind === "approval" || kind === "human") && <Decisions filter={{ runId }} />}
      <nav className="tabs" aria-label="Parts of the run">
        {tabs.map(([name, text, to]) => (
          <Link key={name} to={to} aria-current={tab === name ? "page" : undefined}>
            {text}
          </Link>
        ))}
      </nav>
      {(tab === "nodes" || tab === "graph" || tab === "timeline") && (
        <div
          className={nodeId === undefined ? "split" : "split open"}
          style={{ "--beside": `${share}%` } as CSSProperties}
        >
          {tab === "nodes" && <TaskTree runId={runId} read={frame} nodes={nodes} selected={nodeId} />}
          {tab === "graph" && <GraphView runId={runId} read={frame} nodes={nodes} selected={nodeId} />}
          {tab === "timeline" && (
            <TimelineView runId={runId} nodes={nodes} selected={nodeId} isOver={run.finishedAtMs !== null} />
          )}
          {nodeId !== undefined && <Splitter share={share} onShare={setShare} />}
          {nodeId !== undefined && (
            <NodePanel
              key={nodeId}
              runId={runId}
              nodeId={nodeId}
              nodes={nodes}
              blockers={run.blockers}
              isDriven={run.runState === "running"}
            />
          )}
        </div>
      )}
      {tab === "events" && <EventsView runId={runId} />}
      {tab === "frames" && (
        <Suspense fallback={<p className="hint pad">Loading…</p>}>
          <FramesView runId={runId} newest={run.frameNo} />
        </Suspense>
      )}
      {tab === "input" && (
        <section className="pane">
          {input === null ? (
            <p className="hint">The input of this run is not kept.</p>
          ) : (
            <Json value={input} name="the input" />
          )}
        </section>
      )}
    </div>
  );
}

/** Without what stands on the page by itself: requests to a person, and what is kept back by tasks that say why they wait. */
function ownReasons(blockers: readonly Blocker[]): Blocker[] {
  const known = new Set(blockers.map(({ nodeId }) => nodeId));
  return blockers.filter((blocker) => {
    if (blocker.runId !== undefined) return true;
    if (blocker.kind === "approval") return false;
    return (
      blocker.kind !== "dependency" || !(blocker.waitsFor ?? []).every(({ nodeId }) => known.has(nodeId))
    );
  });
}
