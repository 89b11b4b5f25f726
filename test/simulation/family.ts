import { subflowNodeOf } from "../../src/model/address.js";
import type { RunRow } from "../../src/model/run.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import type { QuietStore } from "../support/quiet-store.js";

export interface Member {
  run: RunRow;
  workflow: ServiceWorkflow;
  /** The same in every run of a plan: it is made of node ids, a `+` for each continuation. */
  name: string;
}

export interface FamilyTree {
  rootId: string;
  workflow: ServiceWorkflow;
  /** Undefined when no plan has child runs. */
  childOf: ((nodeId: string) => ServiceWorkflow) | undefined;
}

/** The root, the runs that continue it, and the child runs of each, in a fixed order. */
export function familyOf(store: QuietStore, { rootId, workflow, childOf }: FamilyTree): Member[] {
  const members: Member[] = [];
  const add = (firstId: string, about: { workflow: ServiceWorkflow; name: string }) => {
    let { name } = about;
    for (let run = store.getRun(firstId); run !== undefined; name += "+") {
      const { runId, nextRunId } = run;
      members.push({ run, workflow: about.workflow, name });
      if (childOf !== undefined) {
        const ids = store.listRuns({ parentRunId: runId, limit: 1_000 }).map((child) => child.runId);
        for (const childId of ids.sort()) {
          const node = subflowNodeOf(childId, runId);
          if (node === null) continue;
          add(childId, { workflow: childOf(node.nodeId), name: `${name}:${node.nodeId}:${node.iteration}` });
        }
      }
      run = nextRunId === null ? undefined : store.getRun(nextRunId);
    }
  };
  add(rootId, { workflow, name: "root" });
  return members;
}
