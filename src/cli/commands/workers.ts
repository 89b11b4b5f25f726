import { listWorkers, openWorkspace, type WorkerView } from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { formatTable } from "../output/table.js";

export const workers = defineCommand({
  examples: [
    { command: "treadle workers", meaning: "the workers of this database, and what they have" },
    {
      command: "treadle workers --json",
      meaning: "the same for a program, with the code that each has loaded",
    },
  ],
  gateway: { cannot: "workers are known to the database alone" },
  configure() {},
  async run({ terminal, options }) {
    const { db } = options;
    const workspace = await openWorkspace(terminal, { ...(db !== undefined && { db }), readOnly: true });
    try {
      const list = await listWorkers(workspace.db);
      return { json: { workers: list }, text: (_colors, width) => tableOf(list, width) };
    } finally {
      await workspace.store.close();
    }
  },
});

function tableOf(list: readonly WorkerView[], width: number): string {
  if (list.length === 0) return "No worker serves this database.";
  const rows = list.map((each) => [
    each.name,
    each.queues.join(", "),
    `${each.running} of ${each.concurrency}`,
    stateOf(each),
    each.workflows.map(({ name }) => name).join(", "),
    each.id,
  ]);
  return formatTable(["WORKER", "QUEUES", "TASKS", "STATE", "WORKFLOWS", "PROCESS"], rows, {
    width,
    names: ["WORKER"],
  });
}

function stateOf({ isSilent, isDraining, isDriving, silentMs }: WorkerView): string {
  if (isSilent) return `silent for ${Math.round(silentMs / 1_000)} s`;
  if (isDraining) return "stopping";
  return isDriving ? "up, drives runs" : "up";
}
