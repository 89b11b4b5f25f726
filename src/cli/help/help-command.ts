import type { Command } from "commander";
import { errorCodeEntry, errorFamilies } from "../../errors/codes.js";
import { docsUrlOf } from "../../errors/docs-url.js";
import { ServiceError } from "../../errors/service-error.js";
import { type CliCommand, defineCommand } from "../command.js";
import type { Report } from "../report.js";
import type { CommandDocument } from "./command-document.js";

interface HelpSource {
  readonly root: Command;
  /** Declares the arguments of a command whose code has not been loaded. */
  define(command: Command): Promise<void>;
  describe(command: Command): CommandDocument;
}

/** `treadle help`, `treadle help up`, `treadle help errors RUN_NOT_FOUND`. */
export function createHelpCommand({ root, define, describe }: HelpSource): CliCommand {
  return defineCommand({
    examples: [
      { command: "treadle help up", meaning: "explain the command up" },
      { command: "treadle help errors", meaning: "list all error codes" },
      { command: "treadle help errors RUN_NOT_FOUND", meaning: "explain one error code" },
    ],
    configure: (command) => command.argument("[topic...]", "a command, or: errors [CODE]"),
    async run({ args }): Promise<Report> {
      const topic = (args[0] ?? []) as readonly string[];
      if (topic[0] === "errors") return errorHelp(topic[1]);
      let command = root;
      for (const name of topic) {
        const next = command.commands.find((candidate) => candidate.name() === name);
        if (next === undefined) {
          throw new ServiceError("CLI_USAGE", `There is no command ${topic.join(" ")} to explain.`);
        }
        await define(next);
        command = next;
      }
      const explained = command;
      return {
        json: describe(explained),
        text: () => {
          // Written by the parser itself, examples included.
          explained.outputHelp();
          return "";
        },
      };
    },
  });
}

/** One error code, or the list of all of them. */
export function errorHelp(code: string | undefined): Report {
  return code === undefined ? listCodes() : explainCode(code.toUpperCase());
}

function explainCode(code: string): Report {
  const entry = errorCodeEntry(code);
  if (entry === undefined) {
    throw new ServiceError(
      "CLI_USAGE",
      `There is no error code ${code}; \`treadle help errors\` lists them.`,
    );
  }
  const { when, next, retryable = true, httpStatus = 500 } = entry;
  const docsUrl = docsUrlOf(code);
  return {
    json: { code, when, next, retryable, httpStatus, docsUrl },
    text: (colors) =>
      [
        colors.bold(code),
        `  ${"when".padEnd(7)} ${when}`,
        `  ${"next".padEnd(7)} ${next}`,
        `  ${"retried".padEnd(7)} ${retryable ? "yes, within the task's retries" : "no"}`,
        `  ${"http".padEnd(7)} ${httpStatus}`,
        `  ${"docs".padEnd(7)} ${docsUrl}`,
      ].join("\n"),
  };
}

function listCodes(): Report {
  const families = Object.entries(errorFamilies).map(([family, codes]) => ({
    family,
    codes: Object.entries(codes).map(([code, { when }]) => ({ code, when })),
  }));
  return {
    json: { families },
    text: (colors) =>
      families
        .map(({ family, codes }) =>
          [colors.bold(family), ...codes.map(({ code, when }) => `  ${code}  ${colors.dim(when)}`)].join(
            "\n",
          ),
        )
        .join("\n\n"),
  };
}
