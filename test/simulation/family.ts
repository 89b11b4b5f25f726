import { subflowNodeOf } from "../../src/model/address.js";
import type { RunRow } from "../../src/model/run.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import type { Store } from "../../src/store/contract.js";

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
export async function familyOf(store: Store, { rootId, workflow, childOf }: FamilyTree): Promise<Member[]> {
  const members: Member[] = [];
  const add = async (firstId: string, about: { workflow: ServiceWorkflow; name: string }) => {
    let { name } = about;
    for (let run = await store.getRun(firstId); run !== undefined; name += "+") {
      const { runId, nextRunId } = run;
      members.push({ run, workflow: about.workflow, name });
      if (childOf !== undefined) {
        const children = await store.listRuns({ parentRunId: runId, limit: 1_000 });
        for (const childId of children.map((child) => child.runId).sort()) {
          const node = subflowNodeOf(childId, runId);
          if (node === null) continue;
          await add(childId, {
            workflow: childOf(node.nodeId),
            name: `${name}:${node.nodeId}:${node.iteration}`,
          });
        }
      }
      run = nextRunId === null ? undefined : await store.getRun(nextRunId);
    }
  };
  await add(rootId, { workflow, name: "root" });
  return members;
}
