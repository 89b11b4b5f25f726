import { ServiceError } from "../../errors/service-error.js";
import { type SampledScore, SCORE_STATES } from "../../model/scorer.js";
import type { ScoreListFilter, ScorePage } from "../../operations/index.js";
import { Argument, Option } from "commander";
import { type CommandCall, defineCommand } from "../command.js";
import { positiveInteger, wholeNumber } from "../input/option-values.js";
import { compareScores } from "../../scorers/compare-scores.js";
import { comparedText, scoresText } from "../output/score-text.js";
import type { Report } from "../report.js";
import { withPlace } from "../source/open-place.js";
import type { Place } from "../source/place.js";

interface ScoresOptions {
  node?: string;
  iteration?: number;
  scorer?: string;
  state?: SampledScore["state"];
  limit?: number;
}

const DEFAULT_LIMIT = 100;

export const scores = defineCommand<ScoresOptions>({
  examples: [
    { command: "treadle scores latest", meaning: "every score of the newest run, with aggregates" },
    { command: "treadle scores latest --state failed", meaning: "which scorers have failed, and why" },
    { command: "treadle scores compare k3j2 latest", meaning: "is the newest run better than that one?" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(
        new Argument("<run>", "id of a run, the unique start of one, or latest; or the word compare"),
      )
      .addArgument(new Argument("[runs...]", "after compare: two runs"))
      .option("-n, --node <id>", "only scores of this task")
      .option("--iteration <n>", "only of this loop iteration", wholeNumber("--iteration"))
      .option("--scorer <id>", "only of this scorer")
      .addOption(new Option("--state <state>", "only those that stand so").choices([...SCORE_STATES]))
      .option(
        "-l, --limit <n>",
        `scores shown at most (default: ${DEFAULT_LIMIT})`,
        positiveInteger("--limit"),
      );
  },
  run(call) {
    const [first, others = []] = call.args as [string, (readonly string[])?];
    const isComparing = first === "compare";
    const mistake = isComparing ? comparingMistake(others, call.options) : listingMistake(others);
    if (mistake !== undefined) throw new ServiceError("CLI_USAGE", mistake);
    return withPlace(call, (place) =>
      isComparing ? compare(call, place, others as [string, string]) : list(call, place, first),
    );
  },
});

function listingMistake(others: readonly string[]): string | undefined {
  if (others.length === 0) return undefined;
  return `scores takes one run, and got ${others.length + 1}. Two are compared by scores compare <run> <run>.`;
}

function comparingMistake(others: readonly string[], options: ScoresOptions): string | undefined {
  if (others.length !== 2) return `scores compare takes two runs, and got ${others.length}.`;
  const useless = (["iteration", "state", "limit"] as const).find((name) => options[name] !== undefined);
  return useless && `scores compare compares all scores: --${useless} has no meaning there.`;
}

async function list(
  { options: { limit = DEFAULT_LIMIT, ...options } }: CommandCall<ScoresOptions>,
  place: Place,
  reference: string,
): Promise<Report> {
  const { runId } = await place.find(reference);
  const filter = filterOf(runId, options);
  const found: SampledScore[] = [];
  let page: ScorePage;
  let cursor: string | null = null;
  do {
    page = await place.listScores({
      ...filter,
      limit: limit - found.length,
      ...(cursor !== null && { cursor }),
    });
    found.push(...page.scores);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < limit);
  const { summary } = page;
  return {
    json: { runId, scores: found, summary, isCut: cursor !== null },
    text: (colors, width) => scoresText({ scores: found, summary, isCut: cursor !== null }, colors, width),
  };
}

async function compare(
  { options }: CommandCall<ScoresOptions>,
  place: Place,
  references: readonly [string, string],
): Promise<Report> {
  const sides = await Promise.all(
    references.map(async (reference) => {
      const { runId } = await place.find(reference);
      const { summary } = await place.listScores({ ...filterOf(runId, options), limit: 1 });
      return { runId, summary };
    }),
  );
  const [before, after] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const scorers = compareScores(before.summary, after.summary);
  const json = { runs: [before.runId, after.runId], scorers };
  return { json, text: (colors, width) => comparedText(json, colors, width) };
}

function filterOf(
  runId: string,
  { node, iteration, scorer, state }: Omit<ScoresOptions, "limit">,
): ScoreListFilter {
  return {
    runId,
    ...(node !== undefined && { nodeId: node }),
    ...(iteration !== undefined && { iteration }),
    ...(scorer !== undefined && { scorerId: scorer }),
    ...(state !== undefined && { state }),
  };
}
