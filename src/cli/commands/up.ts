import { defineCommand } from "../command.js";
import { driveHere } from "../drive/drive-here.js";
import type { UpOptions } from "../drive/prepare-run.js";
import { addRunOptionFlags } from "../drive/run-option-flags.js";
import { addServeFlags } from "../drive/serve-flags.js";
import { addStartFlags, addStayFlags } from "../drive/up-flags.js";

export const up = defineCommand<UpOptions>({
  examples: [
    { command: "treadle up report.tsx --set path=.", meaning: "start a run and stay with it" },
    { command: "treadle up deploy --input @input.json --detach", meaning: "by its name, in the background" },
    { command: "treadle up --resume", meaning: "continue the newest run that was stopped, failed or waits" },
  ],
  gateway: "asked",
  configure(command) {
    addStartFlags(
      command.argument(
        "[workflow]",
        "workflow file, or the name of one of the workspace; not needed with --resume",
      ),
    )
      .optionsGroup("Continue:")
      .option("--resume [run]", "continue this run (default: the newest resumable one)")
      .option("--accept-workflow-change", "continue although the workflow has changed since")
      .option("--force", "take the run over even if a process seems to drive it");
    addStayFlags(addServeFlags(addRunOptionFlags(command)));
  },
  run: driveHere,
});
