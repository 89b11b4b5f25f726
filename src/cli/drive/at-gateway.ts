import { ServiceError } from "../../errors/service-error.js";
import type { CommandCall } from "../command.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { Report } from "../report.js";
import { createCommandText } from "../runs/command-text.js";
import { asked, openClient } from "../source/open-client.js";
import type { ChosenGateway } from "../source/gateway-use.js";
import { readInput, refuseMisplaced, type UpOptions } from "./prepare-run.js";
import { readAnnotations } from "./run-option-flags.js";

/** Options of `up` that a gateway takes; it decides the others itself. */
const TAKEN: readonly (keyof UpOptions)[] = [
  "input",
  "set",
  "runId",
  "maxConcurrency",
  "queue",
  "annotations",
  "resume",
  "acceptWorkflowChange",
  "force",
];

/** Of every call: where it goes, and how it is answered. */
const OF_CALL: readonly string[] = ["gateway", "db", "format"];

/**
 * Has a gateway start or continue a run, which drives it itself.
 * @throws CLI_USAGE for an option that only a process that drives the run can follow; what the gateway refuses
 */
export async function atGateway(call: CommandCall<UpOptions>, gateway: ChosenGateway): Promise<Report> {
  const { options, terminal, args } = call;
  refuseOthers(options);
  refuseMisplaced(options, options.resume === true ? undefined : options.resume);
  const client = await openClient(gateway, terminal);
  const named = args[0] as string | undefined;
  const started = async () => {
    const { resume, force = false, acceptWorkflowChange = false, runId, maxConcurrency, queue } = options;
    if (resume !== undefined) {
      if (resume === true || named !== undefined)
        throw usage("--resume needs the run, and nothing else, at a gateway.");
      if (maxConcurrency !== undefined) throw ofNewRun("--max-concurrency");
      if (queue !== undefined) throw ofNewRun("--queue");
      const run = await asked(client.findRun({ run: resume === "-" ? "latest" : resume }));
      return asked(client.resumeRun({ runId: run.runId, force, acceptWorkflowChange }));
    }
    if (named === undefined) throw usage("Name a workflow of the gateway, or a run with --resume.");
    return asked(
      client.launchRun({
        workflow: named,
        input: await readInput(options, terminal),
        ...(await readAnnotations(options.annotations, terminal)),
        ...(runId !== undefined && { runId }),
        ...(maxConcurrency !== undefined && { maxConcurrency }),
        ...(queue !== undefined && { queue }),
      }),
    );
  };
  const { runId, status } = await started();
  const follow = createCommandText(call)(treadleCommand("logs", [runId], { follow: true }));
  return {
    json: { runId, status, follow },
    text() {
      const { err } = terminal;
      err.line(`▶ run ${runId} (${status}) is the gateway's`);
      err.line(`  follow  ${err.colors.cyan(follow)}`);
      return runId;
    },
  };
}

/** Options that are on unless `--no-…` says otherwise. */
const NEGATABLE: readonly string[] = ["preflight", "metrics", "auth", "recordVcs"];

function refuseOthers(options: UpOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const isDefault = value === undefined || (value === true && NEGATABLE.includes(name));
    if (isDefault || OF_CALL.includes(name) || (TAKEN as readonly string[]).includes(name)) continue;
    const flag = `--${value === false ? "no-" : ""}${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw usage(`${flag} cannot go with a gateway: the run is driven there, as the gateway is set up.`);
  }
}

function ofNewRun(flag: string): ServiceError {
  return usage(`${flag} belongs to a new run at a gateway: what it continues keeps its own.`);
}

function usage(summary: string): ServiceError {
  return new ServiceError("CLI_USAGE", summary);
}
