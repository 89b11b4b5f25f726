import { defineCommand } from "../command.js";
import { wholeNumber } from "../input/option-values.js";
import { runArgument } from "../runs/with-run.js";
import { withNamed } from "../source/open-place.js";

export const frame = defineCommand({
  examples: [
    { command: "treadle frame latest", meaning: "the tree of the newest run as it stands" },
    { command: "treadle frame k3j2 12 --json", meaning: "tree and tasks of its frame 12" },
  ],
  formats: ["xml"],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("[frame]", "number of the frame, as timeline lists it (default: the newest)");
  },
  async run(call) {
    const asked = call.args[1] as string | undefined;
    const frameNo = asked === undefined ? undefined : wholeNumber("<frame>")(asked);
    const found = await withNamed(call, ({ place, run: { runId } }) =>
      place.getFrame({ runId, ...(frameNo !== undefined && { frameNo }) }),
    );
    const { xmlText } = await import("../../graph/xml-text.js");
    return { json: found, text: () => xmlText(found.xml).trimEnd() };
  },
});
