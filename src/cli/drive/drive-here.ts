import { ServiceError } from "../../errors/service-error.js";
import { taskKey } from "../../model/address.js";
import { newId } from "../../util/ids.js";
import type { CommandCall } from "../command.js";
import { taskName } from "../output/task-name.js";
import type { Report } from "../report.js";
import { createCommandText } from "../runs/command-text.js";
import { type DetachedChild, detachedChild } from "./detached-child.js";
import { loadDriver, prepareRun, previewResume, type UpOptions } from "./prepare-run.js";
import { checkServeFlags } from "./serve-flags.js";
import { keepsRuns, placeOfRuns } from "./use-database.js";

/**
 * Starts or continues a run and stays with it, as `up` was asked to, or has a process of its own do so.
 * @throws as prepareRun, runWorkflow, detach
 */
export async function driveHere(call: CommandCall<UpOptions>): Promise<Report> {
  const { options, terminal } = call;
  checkServeFlags(options);
  if (options.hot === true && options.wait === false) {
    throw new ServiceError("CLI_USAGE", "--hot stays: it cannot go with --no-wait.");
  }
  if (options.gateway !== undefined) {
    return (await import("./at-gateway.js")).atGateway(call, options.gateway);
  }
  if (options.dryRun === true) return previewRun(call);
  if (options.detach !== true) return drive(call);
  const child = detachedChild(terminal.environment);
  if (child === undefined) return (await import("./detach.js")).detach(call);
  try {
    return await drive(call, child);
  } catch (error) {
    child.failed(error);
    throw error;
  }
}

async function drive(call: CommandCall<UpOptions>, child?: DetachedChild): Promise<Report> {
  const { terminal, options } = call;
  const { workflow, run: prepared } = await prepareRun(call);
  const run = { ...prepared, runId: prepared.runId ?? child?.runId ?? newId() };
  const { openHotReload } =
    options.hot === true ? await import("../../operations/drive/open-hot-reload.js") : {};
  const hot = await openHotReload?.(workflow, true, run);
  const { serveRun } = options.serve === true ? await import("./serve-run.js") : {};
  const serving = await serveRun?.({ workflow, runId: run.runId }, options, terminal).catch(
    async (error: unknown) => {
      await hot?.close();
      throw error;
    },
  );
  const place = placeOfRuns(options, workflow, terminal.cwd);
  const begun = {
    runId: run.runId,
    ...(place.db !== undefined && { db: place.db }),
    ...(serving !== undefined && { url: serving.url }),
  };
  const [{ driveInTerminal }, { createExitReport, createStrayText, reportRun }] = await loadDriver();
  const commandText = createCommandText({ terminal, options: place });
  // No other process is there to take up people's answers.
  const isAlone = child !== undefined && options.wait === undefined;
  const wait = serving !== undefined || hot !== undefined || isAlone || options.wait;
  const outcome = await driveInTerminal({
    workflow,
    options: run,
    terminal,
    wait,
    hot,
    progress: options.quiet === true ? "quiet" : options.verbose === true ? "verbose" : "normal",
    commandText,
    strayText: createStrayText(terminal, commandText),
    onExit: createExitReport({ terminal, commandText }, call.documents),
    onBegun: () => child?.begun(begun),
  }).finally(() => hot?.close());
  // Of a run that had ended before nothing happens.
  child?.begun(begun);
  const isKept = keepsRuns(workflow);
  const report = await reportRun(outcome, {
    workflow,
    terminal,
    commandText: isKept ? commandText : undefined,
  });
  if (outcome.stoppedBy === undefined) await serving?.untilStopped();
  await serving?.close();
  return report;
}

/**
 * The run that `up` would start or continue; nothing is written. A file that is named is loaded and checked; one that only
 * a stored run names is not.
 * @throws as prepareRun
 */
async function previewRun(call: CommandCall<UpOptions>): Promise<Report> {
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
