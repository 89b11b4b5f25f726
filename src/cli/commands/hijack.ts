import { type HijackedSession, resumeRemedy, remedyCommand } from "../../operations/index.js";
import { ServiceError } from "../../errors/service-error.js";
import { shellWord } from "../../util/shell-word.js";
import { defineCommand } from "../command.js";
import { confirm } from "../input/confirm.js";
import { positiveInteger, wholeNumber } from "../input/option-values.js";
import type { Colors } from "../output/styles.js";
import { taskName } from "../output/task-name.js";
import { createCommandText } from "../runs/command-text.js";
import { followUp } from "../runs/follow-up.js";
import { isDriven } from "../source/local-actions.js";
import { sessionOpener } from "../runs/open-session.js";
import { openNamedRun, runArgument } from "../runs/with-run.js";

interface HijackOptions {
  iteration?: number;
  release?: boolean;
  launch: boolean;
  timeout: number;
  dryRun?: boolean;
  yes?: boolean;
}

export const hijack = defineCommand<HijackOptions>({
  examples: [
    { command: "treadle hijack latest", meaning: "stop the only working agent and open its session here" },
    { command: "treadle hijack k3j2 build --no-launch", meaning: "only print how to open the session" },
    { command: "treadle hijack k3j2 build --release", meaning: "give the session back: the task continues" },
  ],
  gateway: { cannot: "the agent's session is on the machine where the task runs" },
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("[node]", "id of the task (default: the only one with an agent at work)")
      .option("--iteration <n>", "loop iteration (default: the newest)", wholeNumber("--iteration"))
      .option("--release", "give a session back that was taken over")
      .option("--no-launch", "do not open the session here, only print the command")
      .option(
        "--timeout <seconds>",
        "how long to wait for the agent to stop",
        positiveInteger("--timeout"),
        30,
      )
      .option("--dry-run", "only show which task it is about")
      .option("-y, --yes", "open the session, and give it back once the tool has ended, without a question");
  },
  async run(call) {
    const { terminal, options, args, documents } = call;
    const { db, store, run, path } = await openNamedRun(call, { readOnly: options.dryRun === true });
    const { findHijackable, hijackRun, releaseHijack } = await import("../../operations/hijack-run.js");
    const nodeId = args[1] as string | undefined;
    const address = {
      runId: run.runId,
      ...(nodeId !== undefined && { nodeId }),
      ...(options.iteration !== undefined && { iteration: options.iteration }),
    };
    if (options.dryRun === true) {
      const about = await findHijackable(db, address);
      const verb = options.release === true ? "give back" : "take over";
      return { json: { dryRun: true, ...about }, text: () => `Would ${verb} ${taskName(about)}.` };
    }
    const giveBack = async () => {
      const released = await releaseHijack(db, address);
      const next = followUp((await isDriven(store, run.runId)) ? "driver" : "no-process", {
        remedy: await resumeRemedy(store, run),
        call,
      });
      return {
        json: { ...released, ...next.json },
        text: (colors: Colors) =>
          `${colors.green("✓")} gave ${released.nodeId} back to its agent\n${next.text(colors)}`,
      };
    };
    if (options.release === true) return giveBack();
    const isOpened = options.launch && documents === undefined;
    if (isOpened && options.yes !== true && !terminal.isInteractive) {
      // Before the agent is stopped: without a person to hand it to, it had better continue.
      throw new ServiceError(
        "CLI_USAGE",
        "The session's command needs a yes, and there is no terminal to ask on: add --yes to open it, or --no-launch to print it.",
        { details: { flag: "--yes" } },
      );
    }
    const opener = isOpened
      ? await sessionOpener(run, { path, environment: terminal.environment })
      : undefined;
    const session = await hijackRun(db, { ...address, timeoutMs: options.timeout * 1_000 });
    const commandText = createCommandText(call);
    const back = commandText(
      remedyCommand({
        action: "release-hijack",
        runId: session.runId,
        nodeId: session.nodeId,
        iteration: session.iteration,
      }),
    );
    if (opener === undefined) {
      return {
        json: { ...session, release: back },
        text: (colors) => sessionText(session, { back, colors }),
      };
    }
    terminal.err.line(sessionText(session, { back, colors: terminal.err.colors }));
    // The command comes from the database: it is shown before it runs.
    if (await confirm("Open it here?", { terminal, yes: options.yes === true })) {
      await opener(session);
    }
    if (await confirm("Give the task back to its agent?", { terminal, yes: options.yes === true }))
      return giveBack();
    return {
      json: { ...session, release: back },
      text: (colors) => `The task stays yours until ${colors.cyan(back)}`,
    };
  },
});

function sessionText(session: HijackedSession, { back, colors }: { back: string; colors: Colors }): string {
  const env = Object.entries(session.env).map(([name, value]) => `${shellWord(name)}=${shellWord(value)}`);
  const words = [...env, ...[session.command, ...session.args].map(shellWord)].join(" ");
  return [
    `${colors.green("✓")} the agent of ${session.nodeId} has stopped; its session is yours`,
    `  open       ${colors.cyan(`cd ${shellWord(session.cwd)} && ${words}`)}`,
    `  give back  ${colors.cyan(back)}`,
  ].join("\n");
}
