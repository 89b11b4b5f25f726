import { relative } from "node:path";
import { resolveWorkflow, runWorker, type WorkerTask } from "../../operations/index.js";
import { once } from "../../util/once.js";
import { defineCommand } from "../command.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { positiveInteger, queueNames } from "../input/option-values.js";
import { onInterrupts } from "../runs/interrupts.js";

interface WorkerFlags {
  queues: string[];
  concurrency: number;
  name?: string;
  drive: boolean;
  dryRun?: boolean;
}

export const worker = defineCommand<WorkerFlags>({
  examples: [
    {
      command: "treadle worker report.tsx --db postgres://app@db/work",
      meaning:
        'execute tasks of its runs that have queue="default", which their drivers execute where no worker is',
    },
    {
      command: "treadle worker report.tsx deploy.tsx --queues large,gpu --concurrency 2",
      meaning: "of two workflows and two queues, two at once",
    },
  ],
  gateway: { cannot: "a worker shares the database with the processes that drive runs" },
  streams: true,
  configure(command) {
    command
      .argument("<workflows...>", "workflow files, or names of the workspace's")
      .option("--queues <list>", "queues that it serves, comma-separated", queueNames("--queues"), [
        "default",
      ])
      .option("--concurrency <n>", "tasks executed at once", positiveInteger("--concurrency"), 4)
      .option("--name <name>", "name that lists show (default: the machine's)")
      .option("--no-drive", "only execute tasks: leave runs of its code that no process drives to others")
      .option("--dry-run", "only load the workflows, and show their code");
  },
  async run({ terminal, args, options, documents }) {
    const { queues, concurrency, name, drive, dryRun = false } = options;
    const { cwd } = terminal;
    const [{ loadWorkflow }, { chooseDatabase, databaseAt }, { requireDatabase }] = await Promise.all([
      import("../../loader/load-workflow.js"),
      import("../../store/index.js"),
      import("../drive/use-database.js"),
    ]);
    chooseDatabase(options.db === undefined ? undefined : databaseAt(cwd, options.db));
    const files = (args[0] as readonly string[]).map((each) => resolveWorkflow(each, cwd));
    const loaded = await Promise.all(files.map((file) => loadWorkflow(file, { cwd })));
    const { db } = options;
    if (db !== undefined)
      for (const { workflow } of loaded) requireDatabase(workflow, { cwd, databasePath: db });
    const named = loaded.map(({ path, ...each }) => ({ name: relative(cwd, path), ...each }));
    if (dryRun) {
      const workflows = named.map(({ name: workflow, workflowHash: code }) => ({ name: workflow, code }));
      return {
        json: { dryRun, queues, workflows },
        text: () => workflows.map((each) => `${each.name} ${each.code}`).join("\n"),
      };
    }
    const say = (event: Record<string, unknown>, text: string) => {
      if (documents !== undefined) terminal.out.line(documents.streamed({ atMs: Date.now(), ...event }));
      else terminal.out.line(`${new Date().toISOString()} ${text}`);
    };
    const { surviveStrayErrors, withholdExit } = await import("../../engine/attempt/process-guard.js");
    surviveStrayErrors((error) => {
      say({ event: "uncaught-error", error: { message: String(error) } }, `! uncaught: ${String(error)}`);
    });
    if (drive) withholdExit();
    const interrupts = onInterrupts();
    interrupts.first.addEventListener("abort", () =>
      terminal.err.line("Finishing what was taken; once more gives it back to other workers."),
    );
    const ready = once(() =>
      terminal.err.line(`Executing tasks of the queues ${queues.join(", ")}; Ctrl-C stops.`),
    );
    await runWorker(Object.fromEntries(named.map((each) => [each.name, each.workflow])), {
      ...{ queues, concurrency, drive, signal: interrupts.first, giveBack: interrupts.second },
      ...(name !== undefined && { name }),
      onReady: ready,
      onBegin: (task) => say({ event: "began", ...task }, `→ ${textOf(task)}`),
      onEnd: (task) => say({ event: "ended", ...task }, `· ${textOf(task)}`),
    });
    interrupts.dispose();
    const stopped = interrupts.received();
    return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
  },
});

function textOf({ runId, nodeId, iteration, attempt }: WorkerTask): string {
  const round = iteration === 0 ? "" : ` iteration ${iteration}`;
  return `${runId} ${nodeId}${round} attempt ${attempt}`;
}
