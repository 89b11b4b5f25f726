import { posix } from "node:path";
import { z } from "zod";
import type { AgentInput } from "../../model/agent.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import { ServiceError } from "../../errors/service-error.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { checked, flag, name, required, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { once } from "../../util/once.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { agent, checkProps, output, type PropRules } from "./check-props.js";
import { partsOf } from "./parts-of.js";
import { isTarget, readSources, type SourceText, unifiedDiff, writeSources } from "./source-texts.js";
import type { TakesRow } from "./takes-row.js";

/** The report of a `SuperService`. */
export type SuperServiceReport = {
  /** The agent's summary of its changes. */
  summary: string;
  /** Paths of the files that differ from what was read. */
  files: string[];
  /** The changes as a unified diff. */
  diff: string;
  /** Whether they were written. */
  applied: boolean;
};

/** Props of `SuperService`. */
export interface SuperServiceProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>> {
  /** Prefix of the ids `<id>-read`, `<id>-propose`, `<id>-apply` and `<id>-report`. @default "super-service" */
  id?: string;
  /** The change to make, and how. */
  strategy: WorkflowNode;
  /** Proposes the changes: one agent, or a chain. It needs no tools. */
  agent: AgentInput | readonly AgentInput[];
  /** Files, folders, or patterns with `*`, `**` and `?`, relative to the run's root folder. @default every text file below it */
  targetFiles?: readonly string[];
  /** Takes the report `{summary, files, diff, applied}`, or the part of it that it has fields for. @default kept by the engine */
  reportOutput?: T;
  /** Writes no file. @default false */
  dryRun?: boolean;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

/** `SuperService`, typed by the module's schemas. */
export type SuperServiceComponent<S extends SchemaMap = SchemaMap> = <const T extends OutputTarget<S>>(
  props: SuperServiceProps<S, T & TakesRow<S, T, SuperServiceReport>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "super-service"),
  strategy: required(
    checked(
      "a text or elements",
      (value) => value !== undefined && value !== null && value !== "" && value !== false,
    ),
  ),
  agent: required(agent),
  targetFiles: checked(
    "a list of at least one path or pattern",
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((path) => typeof path === "string" && path !== ""),
  ),
  reportOutput: { expected: output.expected, fits: output.fits },
  dryRun: withDefault(flag, false),
  skipIf: withDefault(flag, false),
} satisfies PropRules<SuperServiceProps>;

const sources = once(() => z.object({ files: z.array(z.object({ path: z.string(), content: z.string() })) }));

const proposal = once(() =>
  z.object({
    summary: z.string().describe("What you change, and why."),
    edits: z
      .array(
        z.object({
          path: z.string().describe("The file, as it was named to you, or a new one."),
          content: z.string().describe("Its whole new content."),
        }),
      )
      .describe("The files that you change; no others."),
  }),
);

const applied = once(() => z.object({ written: z.array(z.string()) }));

const report = once(() =>
  z.object({ summary: z.string(), files: z.array(z.string()), diff: z.string(), applied: z.boolean() }),
);

/**
 * Reads source files, has an agent propose changes to them, writes these, and reports them as a diff.
 * @example
 * <SuperService strategy="Replace every use of var." agent={coder} targetFiles={["src"]} reportOutput={outputs.change} />
 * @see `docs/components/super-service.md`
 */
export const SuperService = ((given: SuperServiceProps): WorkflowElement => {
  const { composite, props } = checkProps("SuperService", given, RULES);
  const { id, strategy, targetFiles, reportOutput, dryRun } = props;
  const [read, propose, apply] = [`${id}-read`, `${id}-propose`, `${id}-apply`];
  const kept = { output: COMPOSITE_ROWS, deps: { read: COMPOSITE_ROWS, propose: COMPOSITE_ROWS } };
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Task id={read} output={COMPOSITE_ROWS} outputSchema={sources()} cache={false}>
        {async (_inputs, { signal }) => ({ files: await readSources(targetFiles, signal) })}
      </Task>
      <Task
        id={propose}
        output={COMPOSITE_ROWS}
        outputSchema={proposal()}
        agent={props.agent}
        needs={{ read }}
        deps={{ read: COMPOSITE_ROWS }}
      >
        {(rows) => (
          <>
            {strategy}
            <p>
              Propose the changes to these files that this takes; they are made for you.
              {targetFiles === undefined ? "" : ` Change nothing but: ${targetFiles.join(", ")}.`}
            </p>
            {filesOf(rows.read).map(({ path, content }) => (
              <section key={path}>
                <h2>{path}</h2>
                <pre>
                  <code>{content}</code>
                </pre>
              </section>
            ))}
          </>
        )}
      </Task>
      {dryRun ? null : (
        <Task id={apply} {...kept} outputSchema={applied()} needs={{ read, propose }} cache={false}>
          {async (rows, { signal }) => ({ written: await writeSources(changeOf(rows, targetFiles), signal) })}
        </Task>
      )}
      <Task
        id={`${id}-report`}
        deps={kept.deps}
        output={reportOutput ?? COMPOSITE_ROWS}
        {...(reportOutput === undefined && { outputSchema: report() })}
        needs={{ read, propose }}
        cache={false}
      >
        {async (rows) => {
          const change = changeOf(rows, targetFiles);
          return {
            summary: String(rows.propose["summary"]),
            files: change.after.map(({ path }) => path),
            diff: await unifiedDiff(change),
            applied: !dryRun,
          };
        }}
      </Task>
    </Sequence>,
  );
}) as SuperServiceComponent;

type Rows = Readonly<Record<"read" | "propose", Readonly<Record<string, unknown>>>>;

function filesOf(row: Readonly<Record<string, unknown>>): readonly SourceText[] {
  return row["files"] as readonly SourceText[];
}

/** The files as they were read, and their proposed changes. @throws TOOL_PATH_INVALID for a file that is no target, or named twice */
function changeOf({ read, propose }: Rows, targets: readonly string[] | undefined) {
  const before = filesOf(read);
  const edits = (propose["edits"] as readonly SourceText[]).map(({ path, content }) => ({
    path: posix.normalize(path),
    content,
  }));
  for (const [index, { path }] of edits.entries()) {
    const isTwice = edits.findIndex((other) => other.path === path) < index;
    if (!isTwice && isTarget(targets, path)) continue;
    const problem = isTwice ? "is named twice by the proposal" : "is none of the target files";
    throw new ServiceError("TOOL_PATH_INVALID", `The file "${path}" ${problem}.`, {
      details: { path },
      retryable: false,
    });
  }
  const after = edits.filter(
    ({ path, content }) => before.find((file) => file.path === path)?.content !== content,
  );
  return { before, after };
}
