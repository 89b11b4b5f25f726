import type { HostElement } from "../../model/host-node.js";
import { agentChain } from "../../model/agent-chain.js";
import type { TaskDescriptor } from "../../model/task.js";
import { nearest } from "../../util/nearest.js";
import type { Site } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { readText } from "../props.js";

/** `limit` of the task, and those of its agents: names that the workflow declares. */
export function describeLimit({ element, extraction }: Site, task: TaskDescriptor): void {
  const known = extraction.registry.limitNames;
  const limit = readText(element, "limit");
  if (limit !== undefined) {
    demand(element, { limit, known, whose: "has the limit" });
    task.limit = limit;
  }
  if (task.kind !== "agent") return;
  for (const agent of agentChain(task)) {
    if (agent.limit !== undefined)
      demand(element, { limit: agent.limit, known, whose: "has an agent with the limit" });
  }
}

function demand(
  element: HostElement,
  { limit, known, whose }: { limit: unknown; known: readonly string[]; whose: string },
): void {
  if (typeof limit === "string" && known.includes(limit)) return;
  const meant = typeof limit === "string" ? nearest(limit, known) : undefined;
  const hint = meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`;
  const declared = known.length === 0 ? "none" : known.map((name) => JSON.stringify(name)).join(", ");
  throw frameError(
    "LIMIT_UNKNOWN",
    element,
    `${whose} ${JSON.stringify(limit)}, which createService does not declare; its limits: ${declared}.${hint}`,
  );
}
