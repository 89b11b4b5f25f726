import { taskKey } from "../../model/address.js";
import type { CommandCall } from "../command.js";
import { taskName } from "../output/task-name.js";
import type { Report } from "../report.js";
import { prepareRun, type UpOptions } from "./prepare-run.js";

/** What `up` would start or continue: all of its checks, and nothing is written. @throws as prepareRun */
export async function previewRun(call: CommandCall<UpOptions>): Promise<Report> {
  const { workflow, run } = await prepareRun(call);
  const { runId = null, resume = false } = run;
  if (resume) {
    return { json: { dryRun: true, runId, resume }, text: () => `Would continue run ${runId}.` };
  }
  const [{ renderPreview }, { ServiceDb }] = await Promise.all([
    import("../../operations/render-frame.js"),
    import("../../store/service-db.js"),
  ]);
  const input = new ServiceDb(workflow.db).store.validateInput(run.input ?? {});
  const { snapshot, workflowName } = await renderPreview(workflow, { input });
  const tasks = snapshot.tasks.map(({ nodeId, iteration }) => ({ nodeId, iteration }));
  return {
    json: { dryRun: true, runId, resume, workflowName, input, tasks: tasks.map(taskKey) },
    text: () =>
      [`Would start a run of ${workflowName}, with these tasks at first:`, ...tasks.map(taskName)].join("\n"),
  };
}
