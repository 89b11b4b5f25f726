import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import type { CliCommand, Example } from "../command.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { collect, userName, wholeNumber } from "../input/option-values.js";
import { followUpOf } from "../runs/follow-up.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";
import { chooseFor, type Choice, type ChoiceOptions } from "./choose.js";

interface DecideOptions extends ChoiceOptions {
  iteration?: number;
  by?: string;
  scope?: string[];
  requestHash?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** `approve` and `deny`: the request is shown, a person confirms, the decision is kept. */
export function decideCommand({
  approves,
  examples,
}: {
  approves: boolean;
  examples: readonly Example[];
}): CliCommand {
  return defineCommand<DecideOptions>({
    examples,
    gateway: "asked",
    configure: (command) => addOptions(command, approves),
    async run(call) {
      const { terminal, options, args } = call;
      const { dryRun = false, yes = false, iteration, note, scope } = options;
      refuseWildcard(scope);
      const { place, run } = await openNamed(call, { readOnly: dryRun });
      const { requestText } = await import("./request-text.js");
      const nodeId = args[1] as string | undefined;
      const { request, askedBy } = await place.findRequest({
        runId: run.runId,
        ...(nodeId !== undefined && { nodeId }),
        ...(iteration !== undefined && { iteration }),
      });
      const nowMs = Date.now();
      if (dryRun)
        return {
          json: { dryRun, request },
          text: (colors) => requestText(request, { run, askedBy, colors, nowMs }),
        };
      terminal.err.line(requestText(request, { run, askedBy, colors: terminal.err.colors, nowMs }));
      const choice: Choice = approves ? await chooseFor(request, options, terminal) : {};
      const verb = approves ? "Approve" : "Deny";
      const chosen = choice.selected ?? choice.ranked?.join(", ");
      const question = chosen === undefined ? `${verb} this?` : `${verb} this with ${chosen}?`;
      if (!(await confirm(question, { terminal, yes }))) {
        return { json: { decided: false }, text: () => "Nothing was decided.", exitCode: EXIT.cancelled };
      }
      const decided = await place.submitApproval({
        approved: approves,
        runId: run.runId,
        nodeId: request.nodeId,
        iteration: request.iteration,
        ...(options.by !== undefined && { decidedBy: options.by }),
        requestHash: options.requestHash ?? request.requestHash,
        ...(scope !== undefined && { scopes: scope }),
        ...(note !== undefined && { note }),
        ...choice,
      });
      const next = await followUpOf(call, place, run.runId);
      return {
        json: { ...decided, ...choice, ...next.json },
        text: (colors) =>
          `${colors.green("✓")} ${approves ? "approved" : "denied"} ${request.nodeId}\n${next.text(colors)}`,
      };
    },
  });
}

function addOptions(command: Command, approves: boolean): void {
  command
    .addArgument(runArgument())
    .argument("[node]", "id of the task that waits (default: the only one)")
    .option(
      "--iteration <n>",
      "loop iteration (default: the only one that waits)",
      wholeNumber("--iteration"),
    )
    .option("--note <text>", "why; kept with the decision")
    .option(
      "--by <user>",
      "who decides (default: the user of this machine; of a gateway whom it has let in)",
      userName("--by"),
    )
    .option(
      "--scope <scope>",
      "a scope of who decides; may be given several times. Nothing proves --by and --scope: a user who can write the database can claim any",
      collect,
    )
    .option(
      "--request-hash <hash>",
      "the question that is decided, as inbox --json shows it (default: the one that is shown here)",
    );
  if (approves) {
    command
      .option("--select <key>", "the option to choose, where one is asked for")
      .option("--rank <keys>", "all options, comma-separated, best first, where an order is asked for")
      .option("-d, --data <json>", "the answer to a human task, as JSON, @file or - for standard input");
  }
  command
    .option("--dry-run", "only show the request")
    .option("-y, --yes", "do not ask; needed without a terminal");
}

/** A token may grant every scope; a person who claims it without one has none. */
function refuseWildcard(scopes: readonly string[] | undefined): void {
  if (scopes?.includes("*") !== true) return;
  throw new ServiceError("CLI_USAGE", "--scope *: name the scopes; * stands for all of them nowhere here.", {
    details: { option: "--scope" },
  });
}
