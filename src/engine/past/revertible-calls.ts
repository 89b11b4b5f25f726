import { resolve } from "node:path";
import { parseTaskKey } from "../../model/address.js";
import { agentChain } from "../../model/agent-chain.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { ToolEffect } from "../../model/tool-effect.js";
import { drawn } from "../../renderer/frame-waits.js";
import type { RunSnapshot } from "../../store/index.js";
import type { AgentTool } from "../../tools/agent-tool.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { renderRunSnapshot } from "../reset/reset-snapshot.js";
import { runRoot } from "../run-root.js";
import type { EffectCall } from "./effects-since.js";
import type { Past } from "./past-of.js";

export type Revert = NonNullable<AgentTool<unknown, unknown>["revert"]>;

/** A call, and what undoes it. */
export interface RevertibleCall {
  readonly effect: ToolEffect;
  readonly revert: Revert;
  /** Folder that the call was made in. */
  readonly rootDir: string;
}

/**
 * Finds what undoes calls: the tools of their tasks' agents, in the tree as it is and as it is after going back.
 * A call whose task is in neither, or has such a tool no more, is left out.
 * @returns those that can be undone, the newest first
 */
export async function revertibleCalls(
  services: EngineServices,
  workflow: EngineWorkflow,
  { now, past, calls }: { now: RunSnapshot; past: Past; calls: readonly EffectCall[] },
): Promise<RevertibleCall[]> {
  const kept = calls.flatMap(({ key, effect }) => (effect === null ? [] : [{ key, effect }]));
  if (kept.length === 0) return [];
  const root = runRoot(now.run.config);
  const tasks = new Map<string, TaskDescriptor>();
  const then = { ...past.runSnapshot, run: now.run, input: now.input };
  for (const runSnapshot of [then, now]) {
    for (const task of await tasksOf(services, workflow, runSnapshot)) tasks.set(task.nodeId, task);
  }
  return kept.reverse().flatMap(({ key, effect }): RevertibleCall[] => {
    const task = tasks.get(parseTaskKey(key).nodeId);
    const revert = task && revertOf(task, effect.toolName);
    if (revert === undefined) return [];
    return [{ effect, revert, rootDir: resolve(root, task?.worktreePath ?? ".") }];
  });
}

/** A tree that its rows keep from being drawn has no tools: going back is what mends it. */
async function tasksOf(
  services: EngineServices,
  workflow: EngineWorkflow,
  runSnapshot: RunSnapshot,
): Promise<readonly TaskDescriptor[]> {
  try {
    return (await drawn(() => renderRunSnapshot(services, workflow, runSnapshot))).tasks;
  } catch {
    return [];
  }
}

function revertOf(task: TaskDescriptor, toolName: string): Revert | undefined {
  for (const agent of agentChain(task)) {
    const { tools } = agent as { tools?: Readonly<Record<string, Partial<AgentTool<unknown, unknown>>>> };
    const tool = Object.values(tools ?? {}).find(({ name }) => name === toolName);
    if (typeof tool?.revert === "function") return tool.revert;
  }
  return undefined;
}
