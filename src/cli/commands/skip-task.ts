import { handCommand } from "../decide/hand-command.js";

export const skipTask = handCommand({
  action: "skip",
  examples: [
    { command: "treadle skip-task latest notify --dry-run", meaning: "whether the task can be left out" },
    {
      command: "treadle skip-task k3j2 notify --note 'not today' --up",
      meaning: "continue the run as if skipIf had left the task out",
    },
  ],
});
