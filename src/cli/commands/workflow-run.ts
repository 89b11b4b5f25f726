import { defineCommand } from "../command.js";
import { driveHere } from "../drive/drive-here.js";
import type { UpOptions } from "../drive/prepare-run.js";
import { addRunOptionFlags } from "../drive/run-option-flags.js";
import { addServeFlags } from "../drive/serve-flags.js";
import { addStartFlags, addStayFlags } from "../drive/up-flags.js";

export const workflowRun = defineCommand<UpOptions>({
  examples: [
    { command: "treadle workflow run deploy --set env=prod", meaning: "by its name" },
    { command: "treadle workflow run ops/deploy.tsx --input @input.json --json", meaning: "by its path" },
  ],
  gateway: "asked",
  configure(command) {
    addStartFlags(command.argument("<workflow>", "workflow file, or the name of one of the workspace"));
    addStayFlags(addServeFlags(addRunOptionFlags(command)));
  },
  run: driveHere,
});
