import { taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentLike } from "../../model/agent.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { AttemptMeta, AttemptRow, NodeRow } from "../../model/node.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { SchedulerView } from "../../scheduler/index.js";
import type { RunnerContext } from "../ports.js";

/** A conversation kept for forks may not be larger, bytes of JSON. */
const LARGEST_CONVERSATION = 1_000_000;

export type ForkStart = { resumeSession: string; forkSession: true } | { messages: unknown[] };

/** Knows which tasks of a frame others fork from. */
export class ForkSources {
  #tasks: RenderedFrame["tasks"] | undefined;
  #ids: ReadonlySet<string> = new Set();

  has(frame: RenderedFrame | null, nodeId: string): boolean {
    if (frame?.tasks !== this.#tasks) {
      this.#tasks = frame?.tasks;
      this.#ids = new Set(frame?.tasks.flatMap((task) => task.forkSource ?? []));
    }
    return this.#ids.has(nodeId);
  }
}

/** The node a task forks from: the same round of its own loop, elsewhere the latest. Null when it is unknown. */
export function forkedNode(state: SchedulerView, task: TaskDescriptor): NodeRow | null {
  const { forkSource } = task;
  if (forkSource === undefined) return null;
  const latestKey = state.latest.get(forkSource);
  const latest = latestKey === undefined ? undefined : state.nodes.get(latestKey)?.row;
  if (latest === undefined || latest.loopId === null || latest.loopId !== (task.ralphId ?? null)) {
    return latest ?? null;
  }
  return state.nodes.get(taskKey({ nodeId: forkSource, iteration: task.iteration }))?.row ?? null;
}

/**
 * How the agent takes up the final session of the task that this one forks from;
 * undefined for tasks that do not fork. `lostSession`: an attempt has found that session gone.
 * @throws TASK_FORK_SOURCE_NOT_FOUND, TASK_FORK_SOURCE_NOT_COMPLETE, TASK_FORK_SESSION_UNAVAILABLE
 */
export async function forkStart(
  context: RunnerContext,
  { agent, lostSession }: { agent: AgentLike; lostSession: boolean },
): Promise<ForkStart | undefined> {
  const { job, services } = context;
  const { forkSource } = job.task;
  if (forkSource === undefined) return undefined;
  const details = { nodeId: job.nodeId, forkSource };
  const refuse = (code: ForkCode, why: string) =>
    new ServiceError(code, `Task ${job.nodeId} forks from ${forkSource}, ${why}.`, {
      details,
      retryable: false,
    });
  const source = job.forkedNode;
  if (source === null) throw refuse("TASK_FORK_SOURCE_NOT_FOUND", "but no task of this run has that id");
  if (source.state !== "finished") {
    throw refuse("TASK_FORK_SOURCE_NOT_COMPLETE", `which is ${source.state}, not finished`);
  }
  const attempts = await services.store.listAttempts(job.runId, source.nodeId, source.iteration);
  const last = attempts.findLast(({ state }) => state === "finished");
  const start = last === undefined ? undefined : startFrom(last, agent);
  if (start === undefined) {
    throw refuse("TASK_FORK_SESSION_UNAVAILABLE", `but ${whyNone(last)}`);
  }
  if (lostSession && "resumeSession" in start) {
    throw refuse("TASK_FORK_SESSION_UNAVAILABLE", "whose session its agent cannot find any more");
  }
  const engine = agent.capabilities?.engine;
  const sourceEngine = last?.meta?.agentEngine;
  if (
    "resumeSession" in start &&
    engine !== sourceEngine &&
    engine !== undefined &&
    sourceEngine !== undefined
  ) {
    throw refuse(
      "TASK_FORK_SESSION_UNAVAILABLE",
      `whose session belongs to ${String(sourceEngine)} and cannot be resumed by ${engine}`,
    );
  }
  return start;
}

type ForkCode =
  | "TASK_FORK_SOURCE_NOT_FOUND"
  | "TASK_FORK_SOURCE_NOT_COMPLETE"
  | "TASK_FORK_SESSION_UNAVAILABLE";

/** A session is forked where the agent can do that; elsewhere a new one begins with what was said. */
function startFrom({ meta }: AttemptRow, agent: AgentLike): ForkStart | undefined {
  if (typeof meta?.sessionId === "string" && agent.supportsSessionFork !== false) {
    return { resumeSession: meta.sessionId, forkSession: true };
  }
  return Array.isArray(meta?.conversation) ? { messages: meta.conversation } : undefined;
}

function whyNone(attempt: AttemptRow | undefined): string {
  const size = attempt?.meta?.conversationBytes;
  if (typeof size === "number") {
    return `its conversation of ${size} bytes is larger than the ${LARGEST_CONVERSATION} that are kept`;
  }
  return "it has left neither a session nor a conversation";
}

/** The part of its conversation that an attempt keeps, for agents that have no sessions. */
export function keptConversation(messages: unknown[] | undefined): Pick<AttemptMeta, string> {
  if (messages === undefined) return {};
  const json = JSON.stringify(messages);
  const conversationBytes = Buffer.byteLength(json);
  if (conversationBytes > LARGEST_CONVERSATION) return { conversationBytes };
  return { conversation: JSON.parse(json) as unknown[] };
}
