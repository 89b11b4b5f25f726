import type { GraphSnapshot } from "../../model/graph.js";
import type { TaskDescriptor } from "../../model/task.js";
import { defineCommand } from "../command.js";
import { longLoadNotice } from "../drive/long-load.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect } from "../input/option-values.js";
import { applyAssignments } from "../input/set-values.js";

interface GraphOptions {
  input?: string;
  set?: string[];
}

export const graph = defineCommand<GraphOptions>({
  examples: [
    { command: "treadle graph deploy.tsx", meaning: "the first frame as XML" },
    {
      command: "treadle graph deploy.tsx --format mermaid",
      meaning: "a flowchart for Markdown; dot for Graphviz",
    },
    { command: `treadle graph deploy.tsx --set env=prod --json`, meaning: "tree and tasks as data" },
  ],
  formats: ["xml", "mermaid", "dot"],
  gateway: {
    cannot:
      "it draws a file of this machine (treadle workflow inspect <key> shows the first frame of a gateway's workflow)",
    isForFiles: true,
  },
  configure(command) {
    command
      .argument("<workflow>", "workflow file, or the name of one of the workspace")
      .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: {})")
      .option("--set <key=value>", "one member of the input; may be repeated", collect);
  },
  async run({ terminal, args, options }) {
    const { loadNamed } = await import("../runs/load-named.js");
    const { workflow } = await loadNamed(args[0] as string, {
      cwd: terminal.cwd,
      longLoad: longLoadNotice(terminal),
    });
    const given =
      options.input === undefined
        ? {}
        : await readJsonObject({ option: "--input", value: options.input }, terminal);
    const input = applyAssignments(given, options.set ?? []);
    const { renderFrame } = await import("../../operations/render-frame.js");
    const snapshot = await renderFrame(workflow, { input });
    const { dependencyNotices } = await import("../drive/dependency-notices.js");
    for (const { text } of dependencyNotices(snapshot.tasks)) {
      terminal.err.line(`${terminal.err.colors.yellow("!")} ${text}`);
    }
    const json = snapshotDocument(snapshot);
    const [{ mermaid }, { dot }, { xmlText }] = await Promise.all([
      import("../../graph/mermaid.js"),
      import("../../graph/dot.js"),
      import("../../graph/xml-text.js"),
    ]);
    return {
      json,
      text() {
        // Documents are written by the caller that asked for this text.
        if (options.format === "mermaid") return mermaid(snapshot).trimEnd();
        if (options.format === "dot") return dot(snapshot).trimEnd();
        return xmlText(snapshot.xml).trimEnd();
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
