import { ServiceError } from "../../errors/service-error.js";
import { defineCommand } from "../command.js";
import { jsonText } from "../output/json-text.js";
import { wholeNumber } from "../input/option-values.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface OutputOptions {
  iteration?: number;
}

export const output = defineCommand<OutputOptions>({
  examples: [
    { command: "treadle output latest report", meaning: "the row that the task report wrote" },
    { command: "treadle output latest review --iteration 2", meaning: "the row of one loop iteration" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("<node>", "id of the task")
      .option("--iteration <n>", "loop iteration (default: the latest)", wholeNumber("--iteration"));
  },
  async run(call) {
    const { place, run } = await openNamed(call);
    const { iteration } = call.options;
    const nodeId = call.args[1] as string;
    const view = await place.getNode({
      runId: run.runId,
      nodeId,
      ...(iteration !== undefined && { iteration }),
    });
    if (view.output === undefined) {
      throw new ServiceError(
        "OUTPUT_NOT_FOUND",
        `${nodeId} of run ${run.runId} is ${view.node.state}; it has no row.`,
        {
          details: { runId: run.runId, nodeId, state: view.node.state },
        },
      );
    }
    const row = view.output;
    // A row is data: people and programs get the same text.
    return { json: row, text: () => jsonText(row) };
  },
});
