import {
  effectNames,
  effectsSince,
  type EngineServices,
  forkOf,
  type Past,
  pastOf,
  publish,
  runRoot,
  withoutNodes,
} from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { hasTaskPlace, taskKey, type TaskPlace } from "../model/address.js";
import type { RunAuthContext } from "../model/run-auth.js";
import type { RunRow } from "../model/run.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { NewRun, Store } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import type { FileState } from "../vcs/file-state.js";
import { newId } from "../util/ids.js";
import { storesOfChildren, workflowsOfChildren } from "./children/child-stores.js";
import { rootOf } from "./children/root-run.js";
import { filesAt } from "./files/recorded-files.js";
import { nodeOrder } from "./read/nodes-in-order.js";
import { refuseReservedRunId } from "./drive/reserved-run-ids.js";
import type { ActionResult } from "./request/action-result.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** Which moment of a run a new one is made of, and what is different in that. */
export interface ForkRunOptions {
  runId: string;
  /** The frame that the new run begins at. @default the newest, or that of `nodeId` */
  frameNo?: number;
  /** Begin at the newest frame at which this task had not ended. Excludes `frameNo`. */
  nodeId?: string;
  /** Of `nodeId`, from 0. @default its newest */
  iteration?: number;
  /** Members that replace those of the run's input. They are checked at once; the workflow's code is needed for it. @default none */
  input?: Record<string, unknown>;
  /** Tasks that run again although they had ended, with what came after them because of them: ids, or `nodeId::iteration`. @default none */
  resetNodes?: string[];
  /** A name for the fork, kept with it. */
  label?: string;
  /** Id of the new run. @default a random one */
  newRunId?: string;
  /** Who has the run made: becomes its `ctx.auth`. @default that of the other run */
  auth?: RunAuthContext | null;
  /** Only say what would be kept. @default false */
  dryRun?: boolean;
}

/** A run that was made of another one's past. */
export interface ForkResult extends ActionResult {
  /** The new run; null where none was made. */
  runId: string | null;
  /** The other run. */
  parentRunId: string;
  /** The frame that it was at. */
  frameNo: number;
  /** Keys `nodeId::iteration` of the tasks that are done already. */
  keptNodes: string[];
  /** Keys of those that were made to run again. */
  resetNodes: string[];
  /** Keys of other tasks of the other run that had begun by now and begin anew in the new one. */
  laterNodes: string[];
}

const NODE_ENDS = ["NodeFinished", "NodeFailed", "NodeSkipped", "NodeCancelled"] as const;

/** One commit does not end more tasks than run at once, nearly always. */
const MOST_FRAMES_BACK = 500;

/** The rules of `ForkRunOptions`. */
export const FORK_RULES = {
  runId: rules.required(rules.name),
  frameNo: rules.wholeNumber,
  nodeId: rules.name,
  iteration: rules.wholeNumber,
  input: rules.record,
  resetNodes: rules.texts,
  label: rules.name,
  newRunId: rules.name,
  auth: rules.orNull(rules.record),
  dryRun: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<ForkRunOptions>;

/**
 * Makes a new run with the rows that another one had when a frame was committed. What was under way then starts anew in
 * it; the other run is not touched, and may be running. The new run waits until `runWorkflow` with `resume: true`
 * continues with it, on the code of then: it may have changed.
 * @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND for a frame that there is not, NODE_NOT_FOUND, RUN_EXISTS, INVALID_INPUT for
 * input that does not fit, for a child run, and for an option that is unknown or not as described
 */
export async function forkRun(
  target: OperationTarget,
  options: ForkRunOptions,
  world: { clock?: Clock } = {},
): Promise<ForkResult> {
  const asked = checkOptions("forkRun", options, FORK_RULES);
  const plan = await planFork(target, asked, world);
  return asked.dryRun ? plan.preview : makeFork(plan);
}

/** A fork that was looked at and not made. */
export interface ForkPlan {
  /** Of a dry run: it names no new run. */
  readonly preview: ForkResult;
  /** Calls of tools that changed something outside and would be made again in the new run, each as `nodeId::iteration tool`. */
  effects(): Promise<string[]>;
  /** The files of the other run's folder at the frame; undefined where none were recorded. */
  files(): Promise<FileState | undefined>;
  /** The folder that the other run works in, absolute. */
  readonly root: string;
  readonly made: NewRun;
  readonly services: EngineServices;
}

/** @throws as forkRun */
export async function planFork(
  target: OperationTarget,
  asked: Omit<rules.Checked<ForkRunOptions, typeof FORK_RULES>, "dryRun">,
  world: { clock?: Clock } = {},
): Promise<ForkPlan> {
  const { runId, resetNodes: names = [], label, newRunId, auth } = asked;
  if (asked.frameNo !== undefined && asked.nodeId !== undefined) {
    throw new ServiceError("INVALID_INPUT", "A fork takes a frameNo or a nodeId, not both.");
  }
  refuseReservedRunId(newRunId);
  const store = await storeOf(target);
  const run = await requireRun(store, runId);
  await refuseChildRun(store, run);
  const input =
    asked.input === undefined ? undefined : await changedInput(target, store, { run, input: asked.input });
  const found = await pastAsked(store, run, asked);
  const { past, resetNodes } = await withoutNodes(store, found, names);
  const services = engineServices(store, world);
  const made = await forkOf(store, past, {
    runId: newRunId ?? newId(),
    label,
    input,
    nowMs: services.clock.now(),
    ...(auth !== undefined && { config: { auth } }),
  });
  const inOrder = await nodeOrder(store, runId);
  const keptNodes = past.rows.nodes.toSorted(inOrder).map(taskKey);
  const known = new Set([...keptNodes, ...resetNodes]);
  const begun = (await store.listNodes(runId)).filter(
    (row) => row.lastAttempt > 0 && !known.has(taskKey(row)),
  );
  const laterNodes = begun.sort(inOrder).map(taskKey);
  const { frameNo } = past;
  return {
    preview: { runId: null, parentRunId: runId, frameNo, keptNodes, resetNodes, laterNodes, seq: null },
    async effects() {
      const runSnapshot = await store.loadRun(runId, { asStored: true });
      if (runSnapshot === undefined) return [];
      const keys = [...laterNodes, ...resetNodes];
      const workflows = await workflowsOfChildren(target, store, { runSnapshot, keys });
      const asked = [
        { seq: past.rows.seq, keys: laterNodes },
        // Their calls may be older than the frame.
        { seq: -1, keys: resetNodes },
      ];
      return effectNames(
        await effectsSince(store, run, { asked, stores: await storesOfChildren(workflows) }),
      );
    },
    files: () => filesAt(store, run, past.rows.seq),
    root: runRoot(run.config),
    made,
    services,
  };
}

/** @throws RUN_EXISTS */
export async function makeFork({
  preview,
  made,
  services,
}: ForkPlan): Promise<ForkResult & { runId: string }> {
  await services.store.createRun(made);
  publish({ runId: made.runId, events: made.seed?.events ?? [], watch: services.watch });
  return { ...preview, runId: made.runId, seq: made.seed?.events?.[0]?.seq ?? null };
}

/** A child run belongs to the task that waits for it. @throws INVALID_INPUT */
export async function refuseChildRun(store: Store, run: RunRow): Promise<void> {
  const root = await rootOf(store, run);
  if (root.runId === run.runId) return;
  throw new ServiceError(
    "INVALID_INPUT",
    `Run ${run.runId} is a child run of ${root.runId}, whose task waits for its end. Ask for ${root.runId} instead.`,
    { details: { runId: run.runId, rootRunId: root.runId } },
  );
}

/** @throws INVALID_INPUT */
async function changedInput(
  target: OperationTarget,
  store: Store,
  { run, input }: { run: RunRow; input: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  if (!("build" in target)) refuseOption("input", "no input where the workflow's code is not at hand", input);
  return store.validateInput({ ...(await store.getInput(run.runId)), ...input });
}

/** @throws SNAPSHOT_NOT_FOUND, NODE_NOT_FOUND */
async function pastAsked(
  store: Store,
  run: RunRow,
  { frameNo, nodeId, iteration }: Pick<ForkRunOptions, "frameNo" | "nodeId" | "iteration">,
): Promise<Past> {
  if (nodeId === undefined) return pastOf(store, run, frameNo ?? run.frameNo);
  const node = await store.getNode(run.runId, nodeId, iteration);
  if (node !== undefined) return beforeEnd(store, run, node);
  throw new ServiceError("NODE_NOT_FOUND", `Run ${run.runId} has no node ${nodeId}.`, {
    details: { runId: run.runId, nodeId, ...(iteration !== undefined && { iteration }) },
  });
}

/** Frames of one commit show what the last of them shows, so that the one before the end may be some frames back. */
async function beforeEnd(store: Store, run: RunRow, { nodeId, iteration }: TaskPlace): Promise<Past> {
  const { runId } = run;
  const newest = { limit: MOST_FRAMES_BACK, descending: true };
  const ends = await store.listEvents(runId, { types: [...NODE_ENDS], nodeId, ...newest });
  const end = ends.find(({ event }) => hasTaskPlace(event) && event.iteration === iteration);
  const beforeSeq = end?.seq ?? run.nextSeq;
  const frames = await store.listEvents(runId, { types: ["FrameCommitted"], beforeSeq, ...newest });
  for (const { event } of frames) {
    if (event.type !== "FrameCommitted") continue;
    const past = await pastOf(store, run, event.frameNo);
    if (!past.rows.nodes.some((row) => taskKey(row) === taskKey({ nodeId, iteration }))) return past;
  }
  throw new ServiceError("SNAPSHOT_NOT_FOUND", `Run ${runId} has no frame from before ${nodeId} had ended.`, {
    details: { runId, nodeId, iteration },
  });
}
