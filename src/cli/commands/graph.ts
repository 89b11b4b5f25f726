import { Option } from "commander";
import type { GraphSnapshot } from "../../model/graph.js";
import type { TaskDescriptor } from "../../model/task.js";
import { defineCommand } from "../command.js";
import { jsonText } from "../output/json-text.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect } from "../input/option-values.js";
import { applyAssignments } from "../input/set-values.js";

interface GraphOptions {
  format: "xml" | "json" | "mermaid";
  input?: string;
  set?: string[];
}

export const graph = defineCommand<GraphOptions>({
  examples: [
    { command: "treadle graph deploy.tsx", meaning: "the first frame as XML" },
    { command: "treadle graph deploy.tsx --format mermaid", meaning: "a flowchart for Markdown" },
    { command: `treadle graph deploy.tsx --set env=prod --json`, meaning: "tree and tasks as data" },
  ],
  configure(command) {
    command
      .argument("<file>", "workflow file")
      .addOption(
        new Option("-f, --format <format>", "form of the answer")
          .choices(["xml", "json", "mermaid"])
          .default("xml"),
      )
      .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: {})")
      .option("--set <key=value>", "one member of the input; may be repeated", collect);
  },
  async run({ terminal, args, options }) {
    const { loadWorkflow } = await import("../../loader/load-workflow.js");
    const { workflow } = await loadWorkflow(args[0] as string, { cwd: terminal.cwd });
    const given =
      options.input === undefined
        ? {}
        : await readJsonObject({ option: "--input", value: options.input }, terminal);
    const input = applyAssignments(given, options.set ?? []);
    const { renderFrame } = await import("../../operations/render-frame.js");
    const snapshot = await renderFrame(workflow, { input });
    const json = snapshotDocument(snapshot);
    const { mermaid } = await import("../../graph/mermaid.js");
    const { xmlText } = await import("../../graph/xml-text.js");
    return {
      json,
      text() {
        switch (options.format) {
          case "xml":
            return xmlText(snapshot.xml).trimEnd();
          case "mermaid":
            return mermaid(snapshot.xml).trimEnd();
          case "json":
            return jsonText(json);
          default:
            return options.format satisfies never;
        }
      },
    };
  },
});

/** A snapshot without what is not data: schemas, tables, functions, agents become their names. */
function snapshotDocument({ runId, frameNo, xml, tasks }: GraphSnapshot): unknown {
  return { runId, frameNo, xml, tasks: tasks.map(taskDocument) };
}

function taskDocument(task: TaskDescriptor): Record<string, unknown> {
  const { outputTable, outputRef, outputSchema, computeFn, agent, fallbackAgent, ...rest } = task;
  const { subflow, scorers, retries, ...shown } = rest;
  const chain = [agent ?? [], fallbackAgent ?? []].flat();
  return {
    ...shown,
    // JSON has no Infinity.
    retries: Number.isFinite(retries) ? retries : "unlimited",
    ...(chain.length > 0 && { agents: chain.map(({ id }) => id ?? "agent") }),
    ...(scorers !== undefined && { scorers: Object.keys(scorers) }),
  };
}
