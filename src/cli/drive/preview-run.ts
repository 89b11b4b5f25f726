import { taskKey } from "../../model/address.js";
import type { CommandCall } from "../command.js";
import { taskName } from "../output/task-name.js";
import type { Report } from "../report.js";
import { prepareRun, previewResume, type UpOptions } from "./prepare-run.js";

/**
 * The run that `up` would start or continue; nothing is written. A file that is named is loaded and checked; one that only
 * a stored run names is not.
 * @throws as prepareRun
 */
export async function previewRun(call: CommandCall<UpOptions>): Promise<Report> {
  const resumed = await previewResume(call);
  if (resumed !== undefined) return resumeReport(resumed.runId);
  const { workflow, run } = await prepareRun(call);
  const { runId = null, resume = false } = run;
  if (resume) return resumeReport(runId);
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

function resumeReport(runId: string | null): Report {
  return { json: { dryRun: true, runId, resume: true }, text: () => `Would continue run ${runId}.` };
}
