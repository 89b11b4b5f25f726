import type { EnclosingLoop } from "../../src/model/address.js";
import type { ReactNode } from "react";
import { z } from "zod";
import { ServiceError } from "../../src/errors/service-error.js";
import { createFrameRenderer } from "../../src/frames/frame-renderer.js";
import { COMPOSITE_ROWS } from "../../src/model/composite-rows.js";
import type { WorkflowContext } from "../../src/model/context.js";
import type { RenderedFrame } from "../../src/model/graph.js";
import type { ControlState, PlanNode } from "../../src/model/plan.js";
import type { OutputRegistry, RenderRuntime } from "../../src/model/render-runtime.js";
import type { TaskDescriptor } from "../../src/model/task.js";

/** Outputs that the rendering tests write to. */
export const outputs = {
  note: z.object({ text: z.string() }),
  verdict: z.object({ approved: z.boolean() }),
  choice: z.object({ selected: z.string() }),
  decided: z.looseObject({}),
  decidedElsewhere: z.looseObject({}),
  order: z.object({ ranked: z.array(z.string()) }),
  check: z.object({ satisfied: z.boolean() }),
  output: z.object({ text: z.string() }),
};

/** Where composites keep rows that no output takes. */
const kept = z.looseObject({});

export const registry: OutputRegistry = {
  limitNames: ["model-x"],
  keysSharing: () => [],
  resolveOutput(target) {
    const all = { ...outputs, [COMPOSITE_ROWS]: kept };
    const entry = Object.entries(all).find(([key, schema]) => target === key || target === schema);
    if (entry === undefined) return undefined;
    const [outputKey, zodSchema] = entry;
    return {
      outputKey,
      zodSchema,
      table: { outputKey },
      tableName: `out_${outputKey}`,
      signature: outputKey,
    };
  },
};

type Row = Record<string, unknown>;

/** A run that the test moves by hand: rows and control states are what the test says. */
export interface Rig {
  render(): RenderedFrame;
  /** Number of times the workflow asked for a frame by itself. */
  readonly invalidations: number;
  setRow(nodeId: string, row: Row): void;
  setIteration(loopId: string, iteration: number): void;
  /** Keeps what the frame has decided about inline subflows, as a run does. */
  keep(frame: RenderedFrame): void;
  setState(id: string, state: Partial<Extract<ControlState, { kind: "scope" }>>): void;
  dispose(): void;
}

export interface RigOptions {
  input?: Row;
  /** The run's queue. */
  queue?: string;
}

export function rig(build: (ctx: WorkflowContext) => ReactNode, options: RigOptions = {}): Rig {
  const rows = new Map<string, Row>();
  const controls = new Map<string, ControlState>();
  let invalidations = 0;

  const runtime: RenderRuntime = {
    ctxFor: (loops) => contextOf(loops, rows, controls, options.input ?? {}),
    control: (id) => controls.get(id),
    failure: () => null,
    controlIds: () => controls.keys(),
    hasNode: (nodeId) => rows.has(nodeId),
    rootDir: "/",
    queue: options.queue ?? null,
  };
  const renderer = createFrameRenderer({
    build,
    runtime,
    registry,
    onInvalidate: () => {
      invalidations += 1;
    },
  });
  return {
    render: () => renderer.render(),
    get invalidations() {
      return invalidations;
    },
    setRow: (nodeId, row) => void rows.set(nodeId, row),
    setIteration(id, iteration) {
      controls.set(id, { kind: "loop", id, iteration, done: false, exhausted: false });
    },
    keep(frame) {
      for (const inline of frame.inlines ?? []) controls.set(inline.id, inline);
    },
    setState(id, state) {
      controls.set(id, { kind: "scope", id, phase: "body", ...state });
    },
    dispose: () => renderer.dispose(),
  };
}

function contextOf(
  loops: readonly EnclosingLoop[],
  rows: Map<string, Row>,
  controls: Map<string, ControlState>,
  input: Row,
): WorkflowContext {
  const iteration = loops.at(-1)?.iteration ?? 0;
  const iterations: Record<string, number> = {};
  for (const state of controls.values()) if (state.kind === "loop") iterations[state.id] = state.iteration;
  for (const loop of loops) iterations[loop.id] = loop.iteration;
  const read = (nodeId: string) => rows.get(nodeId);
  const ctx = {
    runId: "run",
    iteration,
    iterations,
    input,
    auth: null,
    config: {},
    continuation: undefined,
    outputs: Object.assign((key: string) => [...rows.values()].filter((row) => row["table"] === key), {}),
    output(_table: unknown, key: { nodeId: string }) {
      const row = read(key.nodeId);
      if (row === undefined) throw new ServiceError("MISSING_OUTPUT", `No row of ${key.nodeId}.`);
      return row;
    },
    outputMaybe: (_table: unknown, key: { nodeId: string }) => read(key.nodeId),
    latest: (_table: unknown, nodeId: string) => read(nodeId),
    iterationCount: (_table: unknown, nodeId: string) => (read(nodeId) === undefined ? 0 : 1),
  };
  return ctx as unknown as WorkflowContext;
}

/** The task with this id. */
export function task(frame: RenderedFrame, nodeId: string): TaskDescriptor {
  const found = frame.tasks.find((each) => each.nodeId === nodeId);
  if (found === undefined) throw new Error(`no task ${nodeId}; there are ${ids(frame).join(", ")}`);
  return found;
}

export function ids(frame: RenderedFrame): string[] {
  return frame.tasks.map((each) => each.nodeId);
}

/** The plan as nested lists: `["sequence", "a", ["parallel", "b", "c"]]`. */
export function shape(plan: PlanNode | undefined): unknown {
  if (plan === undefined) return undefined;
  switch (plan.kind) {
    case "task":
      return plan.task.nodeId;
    case "sequence":
      return ["sequence", ...plan.children.map(shape)];
    case "parallel":
      return ["parallel", ...plan.children.map(shape)];
    case "loop":
      return ["loop", plan.id, shape(plan.body)];
    case "saga":
      return [
        "saga",
        plan.id,
        ...plan.steps.map((step) => [step.id, shape(step.action), shape(step.compensation)]),
      ];
    case "try":
      return ["try", plan.id, shape(plan.try), shape(plan.catch), shape(plan.finally)];
    case "continue-as-new":
      return ["continue-as-new"];
    default:
      return plan satisfies never;
  }
}
