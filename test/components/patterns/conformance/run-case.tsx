import type { ReactElement } from "react";
import { taskKey, writtenId } from "../../../../src/model/address.js";
import type { RunEvent } from "../../../../src/model/events.js";
import { isTerminalNode } from "../../../../src/model/node.js";
import { isTerminal, isWaiting } from "../../../../src/model/run.js";
import type { ServiceWorkflow } from "../../../../src/model/workflow.js";
import { approveNode, denyNode } from "../../../../src/operations/decide-approval.js";
import { ServiceDb } from "../../../../src/store/service-db.js";
import type { Fuse } from "../../../../src/testing/mortal-process.js";
import { canGoOn, SimulatedHost } from "../../../simulation/host.js";
import type { CompositeCase, End, Mounting } from "./composite-case.js";
import { quiet, type QuietStore } from "../../../support/quiet-store.js";

/** What a run came to, and how. */
export interface Ran {
  end: End;
  /** What agents were asked, as `node::iteration #attempt`. */
  calls: readonly string[];
  /** What agents were shown, by node. */
  shown: readonly { node: string; prompt: string }[];
  /** What started and what finished, in order. */
  course: readonly { what: "NodeStarted" | "NodeFinished"; node: string }[];
  commits: number;
  /** What ran although it had finished, or finished twice. */
  twice: readonly string[];
}

type Mount = (about: Partial<Mounting>) => ReactElement;

/** What one answer costs. */
export const TOKENS = 10;

/** Steps of a run that ends. */
const MOST_STEPS = 300;
let runs = 0;

/** Runs the tree of a case to its end, through crashes of its processes at `fuses`. */
export async function runCase(
  composite: CompositeCase,
  tree: (mount: Mount) => ReactElement,
  fuses: readonly Fuse[] = [],
): Promise<Ran> {
  const run = new CaseRun(composite, tree, fuses);
  await run.toItsEnd();
  return run.ran();
}

class CaseRun {
  readonly #composite: CompositeCase;
  readonly #rootDir: string | undefined;
  readonly #db: ServiceDb;
  readonly #store: QuietStore;
  readonly #host: SimulatedHost;
  readonly #workflow: ServiceWorkflow;
  readonly #runId = `run${(runs += 1)}`;
  readonly #calls: string[] = [];
  readonly #shown: { node: string; prompt: string }[] = [];
  /** Answers so far, by node. */
  readonly #answers = new Map<string, number>();

  constructor(composite: CompositeCase, tree: (mount: Mount) => ReactElement, fuses: readonly Fuse[]) {
    this.#composite = composite;
    this.#rootDir = composite.rootDir?.();
    this.#db = new ServiceDb(composite.module.db);
    this.#store = quiet(this.#db.store);
    this.#store.prepare();
    this.#host = new SimulatedHost(this.#store, fuses);
    const agent: Mounting["agent"] = (answer) => ({
      supportsNativeStructuredOutput: true,
      generate: async (args = {}) => {
        const { nodeId = "", iteration = 0, attempt = 1 } = args.taskContext ?? {};
        this.#calls.push(`${taskKey({ nodeId, iteration })} #${attempt}`);
        this.#shown.push({ node: nameOf(nodeId, iteration), prompt: args.prompt ?? "" });
        return {
          output: answer({ nodeId: writtenId(nodeId), iteration, prompt: args.prompt ?? "" }),
          usage: { inputTokens: TOKENS - 1, outputTokens: 1 },
        };
      },
    });
    const mounting: Mounting = { id: "x", size: 3, isFailing: false, skipIf: false, agent };
    const element = tree((about) => composite.mount({ ...mounting, ...about }));
    this.#workflow = composite.module.service(() => element) as ServiceWorkflow;
  }

  async toItsEnd(): Promise<void> {
    try {
      for (let step = 0; step < MOST_STEPS; step += 1) if (await this.#step()) return;
    } finally {
      this.#host.close();
    }
    throw new Error("The run does not end.");
  }

  /** True when the run has ended. */
  async #step(): Promise<boolean> {
    const died = await this.#host.settle();
    const run = this.#store.getRun(this.#runId);
    if (run === undefined) {
      const options = { runId: this.#runId, input: {} };
      this.#host.drive(
        this.#workflow,
        this.#rootDir === undefined ? options : { ...options, rootDir: this.#rootDir },
      );
      return false;
    }
    if (died) this.#host.bury([{ run }]);
    if (isTerminal(run.status)) return true;
    const { clock } = this.#host;
    if (!this.#host.isDriving(run) && (await canGoOn(this.#store, run, clock.now()))) this.#resume();
    else if (await this.#decide()) this.#resume();
    else {
      const wakeAt = isWaiting(run.status) ? run.wakeAtMs : null;
      const next = Math.min(
        clock.nextTimer() ?? Number.POSITIVE_INFINITY,
        wakeAt ?? Number.POSITIVE_INFINITY,
      );
      if (next === Number.POSITIVE_INFINITY) {
        if (!this.#host.isDriving(run)) throw new Error(`The run is stuck: ${run.status}.`);
        // A task reads or writes files, which takes as long as it takes.
        await new Promise<void>((resolve) => setImmediate(resolve));
        return this.#step();
      }
      clock.moveTo(Math.max(next, clock.now()));
    }
    return false;
  }

  #resume(): void {
    const run = this.#store.getRun(this.#runId);
    if (run === undefined || this.#host.isDriving(run)) return;
    this.#host.drive(this.#workflow, { runId: this.#runId, resume: true, force: true });
  }

  /** Answers one question. A question that is open when the run is quiet is not answered yet. */
  async #decide(): Promise<boolean> {
    const [asked] = this.#store.listApprovals({ runId: this.#runId, status: "requested", limit: 100 });
    if (asked === undefined) return false;
    const { nodeId, iteration } = asked;
    const key = taskKey(asked);
    const earlier = this.#answers.get(key) ?? 0;
    this.#answers.set(key, earlier + 1);
    const { isDenied, ...answer } = this.#composite.answer?.(writtenId(nodeId), earlier) ?? {};
    const request = { runId: this.#runId, nodeId, iteration, decidedBy: "operator", ...answer };
    await (isDenied === true ? denyNode : approveNode)(this.#db, request, { clock: this.#host.clock });
    return true;
  }

  ran(): Ran {
    const run = this.#store.getRun(this.#runId);
    const nodes: Record<string, End["nodes"][string]> = {};
    for (const { nodeId, iteration, state } of this.#store.listNodes(this.#runId)) {
      if (!isTerminalNode(state)) continue;
      const row = this.#store.readOutput(this.#runId, nodeId, iteration);
      nodes[nameOf(nodeId, iteration)] = contentOf(row) ?? (state as "failed");
    }
    const failed = run?.error?.code;
    return {
      end: { ...(failed !== undefined && { failed }), nodes },
      calls: this.#calls,
      shown: this.#shown,
      course: this.#events("NodeStarted", "NodeFinished").map(({ type, nodeId, iteration }) => {
        return { what: type, node: nameOf(nodeId, iteration) };
      }),
      commits: this.#host.commits,
      twice: this.#twice(),
    };
  }

  #events<T extends RunEvent["type"]>(...types: T[]): Extract<RunEvent, { type: T }>[] {
    const log = this.#store.listEvents(this.#runId, { limit: 1_000_000 }).map(({ event }) => event);
    return log.filter((event): event is Extract<RunEvent, { type: T }> => types.includes(event.type as T));
  }

  #twice(): string[] {
    const finished = new Set<string>();
    return this.#events("NodeStarted", "NodeFinished").flatMap((event) => {
      const key = taskKey(event);
      const isAgain = finished.has(key);
      if (event.type === "NodeFinished") finished.add(key);
      return isAgain ? [`${event.type} of ${key}, which had finished`] : [];
    });
  }
}

/** Iteration 0 goes without saying. */
function nameOf(nodeId: string, iteration: number): string {
  return iteration === 0 ? nodeId : taskKey({ nodeId, iteration });
}

/** A row without its address, and without what says when or in which attempt. */
function contentOf(row: object | undefined): Record<string, unknown> | undefined {
  if (row === undefined) return undefined;
  const { runId: _run, nodeId: _node, iteration: _iteration, ...content } = row as Record<string, unknown>;
  for (const key of ["decidedAt", "folder"]) delete content[key];
  return content;
}
