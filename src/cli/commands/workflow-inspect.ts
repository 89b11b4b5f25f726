import { xmlText } from "../../graph/xml-text.js";
import { defineCommand } from "../command.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect } from "../input/option-values.js";
import { applyAssignments } from "../input/set-values.js";
import { factLine } from "../output/fact-line.js";
import { jsonText } from "../output/json-text.js";
import type { Colors } from "../output/styles.js";
import { serializedErrorLine } from "../output/thrown-text.js";
import { openWorkflows } from "../source/open-workflows.js";
import type { InspectedWorkflow } from "../source/workflow-shelf.js";

interface WorkflowInspectOptions {
  input?: string;
  set?: string[];
}

export const workflowInspect = defineCommand<WorkflowInspectOptions>({
  examples: [
    { command: "treadle workflow inspect deploy", meaning: "its input, its output and its first frame" },
    {
      command: "treadle workflow inspect ops/deploy.tsx --set env=prod",
      meaning: "its first frame with this input",
    },
    {
      command: "treadle workflow inspect deploy --json --filter-output input",
      meaning: "the JSON Schema of its input",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<workflow>", "workflow file, or the name of one of the workspace; of a gateway its key")
      .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: {})")
      .option("--set <key=value>", "one member of the input; may be repeated", collect);
  },
  async run(call) {
    const { terminal, options, args } = call;
    const given =
      options.input === undefined
        ? {}
        : await readJsonObject({ option: "--input", value: options.input }, terminal);
    const input = applyAssignments(given, options.set ?? []);
    const about = await (await openWorkflows(call)).inspect(args[0] as string, input);
    return { json: about, text: (colors) => inspectText(about, colors) };
  },
});

function inspectText(about: InspectedWorkflow, colors: Colors): string {
  const { name, path, workflowName, readableName, description, fingerprint, frame, frameProblem } = about;
  const lines = [`${colors.bold(name)}${readableName === null ? "" : ` ${readableName}`}`];
  const fact = (label: string, value: string | null) => {
    if (value !== null && value !== "") lines.push(factLine(label, value, colors));
  };
  const section = (title: string, text: string) => lines.push("", colors.dim(title), text);
  fact("about", description);
  fact("file", path);
  fact("workflow", workflowName);
  fact("code", fingerprint);
  section("Input", about.input === null ? "any" : jsonText(about.input));
  for (const [key, schema] of Object.entries(about.outputs)) section(`Output ${key}`, jsonText(schema));
  if (Object.keys(about.limits).length > 0) section("Limits", jsonText(about.limits));
  if (about.alertPolicy !== null) section("Alerts", jsonText(about.alertPolicy));
  if (frame !== null) section("First frame", xmlText(frame.xml));
  if (frameProblem !== undefined) {
    section("First frame", `${colors.red("✗")} ${serializedErrorLine(frameProblem)}`);
    lines.push("  It may need an input: --input or --set.");
  }
  return lines.join("\n");
}
