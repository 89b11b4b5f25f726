import type { ErrorCodeEntry } from "./code-entry.js";
import { errorFamilies, httpStatusOf, isRetryableCode } from "./codes.js";

const INTRODUCTION = `# Errors

<!-- Generated from the tables in src/errors/codes. Run \`npm run docs:errors\` after changing them. -->

Every error that the library throws is a \`ServiceError\`:

| Field | Meaning |
|---|---|
| \`code\` | one of the codes below, or a string of your own |
| \`summary\` | one sentence: what happened, and where |
| \`message\` | the summary, followed by the next step that this page gives for the code |
| \`docsUrl\` | the code's entry on this page |
| \`details\` | facts for programs, such as ids, limits and validation issues |
| \`cause\` | the error that led to this one |
| \`retryable\` | present only if this one error differs from what this page says about its code |

Recognise one with \`ServiceError.is(error, "RUN_NOT_FOUND")\`: it looks at name and code, so it also works
when an error comes from another copy of the library.

*Retried* tells whether a task that fails with the code gets another attempt, as far as its \`retries\` allow.
Codes that are not on this page are retried. *HTTP* is the status with which REST and RPC answer.`;

const FAMILY_INTRODUCTIONS: Record<keyof typeof errorFamilies, string> = {
  Runs: "Starting, resuming, driving and ending a run.",
  Tasks: "One attempt of one task: its output, its time limits, its budget.",
  Components: "Writing and loading a workflow: its tree, its module, its schemas.",
  Agents: "Language models, coding agents that run as processes, and their accounts.",
  Tools: "Tools for agents, child processes, version control, sandboxes, OpenAPI.",
  Store: "The database.",
  Hosts: "HTTP and WebSocket hosts, their clients, the command line, hot reload.",
};

/**
 * The error reference as Markdown, one `### CODE` heading per code: the anchor
 * that `docsUrl` of every error points at.
 */
export function renderErrorsDoc(): string {
  const families = Object.entries(errorFamilies) as [keyof typeof errorFamilies, Codes][];
  const contents = families.map(
    ([family]) => `- [${family}](#${family.toLowerCase()}): ${FAMILY_INTRODUCTIONS[family]}`,
  );
  const sections = families.map(([family, codes]) =>
    [`## ${family}`, FAMILY_INTRODUCTIONS[family], ...Object.entries(codes).map(renderCode)].join("\n\n"),
  );
  return `${[INTRODUCTION, contents.join("\n"), ...sections].join("\n\n")}\n`;
}

type Codes = Readonly<Record<string, ErrorCodeEntry>>;

function renderCode([code, entry]: [string, ErrorCodeEntry]): string {
  return [
    `### ${code}`,
    `**When:** ${entry.when}.`,
    `**Next:** ${entry.next}`,
    `Retried: ${isRetryableCode(code) ? "yes" : "no"} · HTTP: ${httpStatusOf(code)}`,
  ].join("\n\n");
}
