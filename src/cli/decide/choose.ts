import { ServiceError } from "../../errors/service-error.js";
import type { ApprovalRow } from "../../model/approval.js";
import { ask } from "../input/confirm.js";
import { commaList } from "../input/option-values.js";
import { readJsonArgument } from "../input/json-argument.js";
import type { Terminal } from "../terminal.js";

/** The parts of a decision besides yes or no. */
export interface Choice {
  selected?: string;
  ranked?: string[];
  data?: unknown;
}

export interface ChoiceOptions {
  select?: string;
  rank?: string;
  data?: string;
  /** Serves as the answer to a human task when it is a row. */
  note?: string;
}

/**
 * The choice that a request asks for, from the options or from the person.
 * @throws CLI_USAGE naming the flag without a terminal to ask on, or one that does not fit the request
 */
export async function chooseFor(
  row: ApprovalRow,
  options: ChoiceOptions,
  terminal: Terminal,
): Promise<Choice> {
  const { mode, request } = row;
  const asksForData = request.asksForData === true;
  refuseOther(row, { select: mode === "select", rank: mode === "rank", data: asksForData }, options);
  const keys = (row.options ?? []).map(({ key }) => key).join(", ");
  if (mode === "select") {
    return { selected: options.select ?? (await askOr("--select", `One of ${keys}: `, terminal)) };
  }
  if (mode === "rank") {
    return { ranked: commaList(options.rank ?? (await askOr("--rank", `${keys}, best first: `, terminal))) };
  }
  const isAnswered = options.data === undefined && isRow(options.note);
  if (!asksForData || isAnswered) return {};
  const value = options.data ?? (await askOr("--data", "Answer as JSON: ", terminal));
  return { data: await readJsonArgument({ option: "--data", value }, terminal) };
}

function isRow(note = ""): boolean {
  try {
    const value: unknown = JSON.parse(note);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function refuseOther(
  { nodeId, mode }: ApprovalRow,
  wanted: Record<"select" | "rank" | "data", boolean>,
  options: ChoiceOptions,
): void {
  for (const flag of ["select", "rank", "data"] as const) {
    if (options[flag] === undefined || wanted[flag]) continue;
    throw new ServiceError("CLI_USAGE", `--${flag}: ${nodeId} is a request of mode ${mode} and takes none.`);
  }
}

async function askOr(flag: string, question: string, terminal: Terminal): Promise<string> {
  if (terminal.isInteractive) return ask(question, terminal);
  throw new ServiceError("CLI_USAGE", `${question.replace(/: $/, "")}: choose with ${flag}.`, {
    details: { flag },
  });
}
