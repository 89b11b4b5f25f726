import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import type { CliCommand } from "../command.js";
import { defineCommand } from "../command.js";
import type { Report } from "../report.js";
import type { CommandDocument } from "./command-document.js";
import { errorHelp } from "./error-help.js";

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
