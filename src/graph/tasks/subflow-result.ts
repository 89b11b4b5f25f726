import { ServiceError } from "../../errors/service-error.js";
import type { HostElement } from "../../model/host-node.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { Site, TaskRule } from "../element-rule.js";
import { factsOf } from "../facts.js";
import { taskFingerprint } from "../fingerprint.js";
import { baseDescriptor } from "./base.js";
import { contextOf } from "./evaluate.js";
import { describeOutput } from "./output.js";

/** Schema key of a workflow's result. */
const RESULT_KEY = "output";

/** The last step of an inline subflow: its result becomes the row of the subflow's own node. */
export const subflowResultRule: TaskRule = {
  kind: "task",
  attributes: ["output", "label", "meta"],
  parents: ["InlineSubflow"],
  describe(site) {
    const task = baseDescriptor(site, "compute");
    const outputSignature = describeOutput(site, task);
    task.computeFn = () => readResult(site);
    task.fingerprint = taskFingerprint(task, { outputSignature, extra: "inline-subflow" });
    return task;
  },
};

/**
 * One row → the row, several → a list, as with the result of a run. Rows of inline subflows inside
 * count where the workflow has written none itself.
 */
function readResult(site: Site): unknown {
  const subflow = site.element.parent as HostElement;
  const own = rowsOf(site, tasksInside(subflow, { withSubflows: false }));
  const rows = own.length > 0 ? own : rowsOf(site, tasksInside(subflow, { withSubflows: true }));
  if (rows.length === 0) {
    throw new ServiceError(
      "INVALID_OUTPUT",
      `The inline subflow ${site.facts.address} has no result: no task in it has written to the output "${RESULT_KEY}".`,
      { retryable: false },
    );
  }
  return rows.length === 1 ? { ...rows[0] } : rows.map((row) => ({ ...row }));
}

function rowsOf(site: Site, tasks: readonly TaskDescriptor[]): OutputRow[] {
  const ctx = contextOf(site);
  return tasks
    .filter(({ outputKey, nodeId }) => outputKey === RESULT_KEY && nodeId !== site.facts.address)
    .flatMap(({ nodeId, iteration }) => ctx.outputMaybe(RESULT_KEY, { nodeId, iteration }) ?? []);
}

function tasksInside(element: HostElement, which: { withSubflows: boolean }): TaskDescriptor[] {
  return element.children.flatMap((child) => {
    if (child.kind === "text" || (child.tag === "InlineSubflow" && !which.withSubflows)) return [];
    const task = factsOf(child)?.task;
    return task === undefined ? tasksInside(child, which) : [task];
  });
}
