import type { Command } from "commander";
import { EXIT, SIGNAL_EXIT } from "../exit-codes.js";
import type { Report } from "../report.js";
import { readVersion } from "../../process/installation.js";
import { type CommandDocument, optionDocument, type OptionDocument } from "./command-document.js";

/** Every command with its arguments, options and examples: what a program, or a model, reads to use them all. */
export function manifestReport(root: Command, commands: readonly CommandDocument[]): Report {
  const options = root.options.map(optionDocument);
  const exitCodes = { ...EXIT, ...SIGNAL_EXIT };
  return {
    json: {
      name: root.name(),
      version: readVersion(),
      description: root.description(),
      conventions: CONVENTIONS,
      exitCodes,
      options,
      commands,
    },
    text: () =>
      [
        `# ${root.name()} ${readVersion()}`,
        root.description(),
        CONVENTIONS.map((line) => `- ${line}`).join("\n"),
        `Exit codes: ${Object.entries(exitCodes)
          .map(([name, code]) => `${code} ${name}`)
          .join(", ")}.`,
        `## Options of every command\n\n${optionLines(options)}`,
        ...commands.map(commandText),
      ].join("\n\n"),
  };
}

const CONVENTIONS = [
  "stdout holds the result and nothing else; progress, questions and errors go to stderr.",
  "--json prints one JSON document; events, logs and a running supervise print one per line.",
  'With --json an error is {"ok": false, "error": {"code", "summary", "message", "docsUrl", "details"}}; treadle help errors CODE explains a code.',
  "A run is named by its id, the unique start of one, or latest (also written -).",
  "Questions are asked only if stdin and stderr are terminals; without them a command that needs a yes takes --yes.",
] as const;

function commandText({ usage, summary, arguments: operands, options, examples }: CommandDocument): string {
  return [
    `## ${usage}`,
    summary,
    ...(operands.length === 0
      ? []
      : [operands.map(({ name, description }) => `- ${name}: ${description}`).join("\n")]),
    ...(options.length === 0 ? [] : [optionLines(options)]),
    examples.map(({ command, meaning }) => `    ${command}  # ${meaning}`).join("\n"),
  ].join("\n\n");
}

function optionLines(options: readonly OptionDocument[]): string {
  return options
    .map((option) => {
      const facts = [
        option.choices !== undefined && `one of ${option.choices.join(", ")}`,
        option.default !== undefined && `default ${String(option.default)}`,
        option.environment !== undefined && `else ${option.environment}`,
      ].filter(Boolean);
      return `- ${option.flags}: ${option.description}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`;
    })
    .join("\n");
}
