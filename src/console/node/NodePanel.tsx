/** @jsxImportSource react */
import { Tabs } from "@base-ui/react/tabs";
import type { Blocker, TimedNode } from "../../operations/index.js";
import { useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import { Json } from "../parts/Json.js";
import { Reading } from "../parts/Reading.js";
import { lookOf, State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";
import { EventsView } from "../run/EventsView.js";
import { shownState } from "../run/tree-rows.js";
import { Attempts } from "./Attempts.js";
import { Diff } from "./Diff.js";
import { ErrorCard } from "./ErrorCard.js";
import { Input } from "./Input.js";
import { Logs } from "./Logs.js";
import { NodeActions } from "./NodeActions.js";
import { Overview } from "./Overview.js";
import { Scores } from "./Scores.js";
import { Transcript } from "./Transcript.js";
import { Usage } from "./Usage.js";

interface NodePanelProps {
  runId: string;
  nodeId: string;
  /** Of the run. */
  nodes: readonly TimedNode[];
  /** Of the run. */
  blockers: readonly Blocker[];
  /** Whether a process drives the run. */
  isDriven: boolean;
}

const TABS = [
  "overview",
  "input",
  "output",
  "transcript",
  "attempts",
  "logs",
  "diff",
  "scores",
  "usage",
  "events",
] as const;

/** One task, with everything that the gateway knows of it. Round and tab stand in the address. */
export function NodePanel({ runId, nodeId, nodes, blockers, isDriven }: NodePanelProps) {
  const { query, go, parts } = useRouter();
  const rounds = nodes.filter((node) => node.nodeId === nodeId);
  const asked = Number(query.get("round") ?? Number.NaN);
  const iteration = rounds.find((node) => node.iteration === asked - 1)?.iteration;
  const { data, ...reading } = useMethod("getNode", {
    runId,
    nodeId,
    ...(iteration !== undefined && { iteration }),
  });
  const tab = TABS.find((name) => name === query.get("tab")) ?? "overview";
  const show = (change: Record<string, string | undefined>) =>
    go(
      places.beside(parts[2], runId, nodeId, {
        round: query.get("round") ?? undefined,
        tab: query.get("tab") ?? undefined,
        ...change,
      }),
      { replaces: true },
    );
  if (data === undefined) {
    return (
      <section className="pane node-pane" aria-label={`Task ${nodeId}`}>
        <Reading {...reading} />
      </section>
    );
  }
  const { node, attempts, output } = data;
  const address = { runId, nodeId, iteration: node.iteration };
  return (
    <section className="pane node-pane" aria-label={`Task ${nodeId}`}>
      <div className="node-head">
        <h2>{shownShort(node.label ?? nodeId, 120)}</h2>
        <State state={shownState(node)} />
        <Link className="plain" to={places.beside(parts[2], runId)} aria-label="Close the task">
          <Icon name="cross" />
        </Link>
      </div>
      <p className="hint">
        <code>{shown(nodeId)}</code>
        {rounds.length > 1 && (
          <label className="rounds">
            Round{" "}
            <select
              value={String(node.iteration + 1)}
              onChange={(event) => show({ round: event.target.value })}
            >
              {rounds
                .toSorted((a, b) => a.iteration - b.iteration)
                .map(({ iteration: round, state }) => (
                  <option key={round} value={round + 1}>
                    {round + 1}: {lookOf(state).text}
                  </option>
                ))}
            </select>
          </label>
        )}
      </p>
      <NodeActions key={node.iteration} runId={runId} node={node} />
      {node.error !== null && node.state !== "finished" && <ErrorCard error={node.error} />}
      <Tabs.Root
        className="node-tabs"
        value={tab}
        onValueChange={(value) => show({ tab: value === "overview" ? undefined : String(value) })}
      >
        <Tabs.List className="tabs" aria-label="About the task">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name === "attempts" ? `attempts (${attempts.length})` : name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Overview
            runId={runId}
            node={node}
            times={rounds.find(({ iteration }) => iteration === node.iteration)}
            attempts={attempts}
            blockers={blockers}
            isDriven={isDriven}
          />
        </Tabs.Panel>
        <Tabs.Panel value="input">
          <Input key={node.iteration} runId={runId} node={node} attempts={attempts} output={output} />
        </Tabs.Panel>
        <Tabs.Panel value="output">
          {output === undefined ? (
            <p className="hint pad">
              {node.state === "finished" ? "The task has no row that this gateway can read." : "No row yet."}
            </p>
          ) : (
            <Json value={output} name="the output" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="transcript">
          <Transcript key={node.iteration} {...address} />
        </Tabs.Panel>
        <Tabs.Panel value="attempts">
          <Attempts key={node.iteration} attempts={attempts} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <Logs key={node.iteration} {...address} />
        </Tabs.Panel>
        <Tabs.Panel value="diff">
          <Diff key={node.iteration} {...address} />
        </Tabs.Panel>
        <Tabs.Panel value="scores">
          <Scores key={node.iteration} {...address} />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <Usage key={node.iteration} {...address} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventsView runId={runId} nodeId={nodeId} />
        </Tabs.Panel>
      </Tabs.Root>
    </section>
  );
}
