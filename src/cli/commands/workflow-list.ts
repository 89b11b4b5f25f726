import { defineCommand } from "../command.js";
import type { Colors } from "../output/styles.js";
import { formatTable, oneLine } from "../output/table.js";
import { serializedErrorLine } from "../output/thrown-text.js";
import { openWorkflows } from "../source/open-workflows.js";
import type { ListedWorkflow } from "../source/workflow-shelf.js";
import { addWatchFlags, type WatchFlags } from "../watch/watch-flags.js";
import { watched } from "../watch/watched.js";

export const workflowList = defineCommand<WatchFlags>({
  examples: [
    {
      command: "treadle workflow list",
      meaning: "those of .service/workflows, of workflows and of the workspace itself",
    },
    { command: "treadle workflow list --json", meaning: "with the whole error of those that do not load" },
  ],
  gateway: "asked",
  configure: addWatchFlags,
  run: (call) =>
    watched(call, async () => {
      const workflows = await (await openWorkflows(call)).list();
      return { json: { workflows }, text: (colors, width) => listText(workflows, colors, width) };
    }),
});

function listText(workflows: readonly ListedWorkflow[], colors: Colors, width: number): string {
  if (workflows.length === 0) {
    return "There are no workflows here: put files into .service/workflows, or change into a workspace.";
  }
  const rows = workflows.map(({ name, path, readableName, description, problem }) => [
    name,
    path ?? "",
    readableName ?? "",
    problem === null
      ? oneLine(description ?? "", 100)
      : colors.red(`✗ ${oneLine(serializedErrorLine(problem), 100)}`),
  ]);
  return formatTable(["NAME", "FILE", "CALLED", ""].map(colors.dim), rows, { width, names: ["NAME"] });
}
