import { handCommand } from "../decide/hand-command.js";

export const completeTask = handCommand({
  action: "complete",
  examples: [
    {
      command: "treadle complete-task k3j2 deploy --data '{\"url\":\"https://…\"}' --note 'by hand' --up",
      meaning: "the task failed, a person has done it: continue the run with its row",
    },
    {
      command: "treadle complete-task latest deploy --data @row.json --yes",
      meaning: "the row from a file, without a question",
    },
  ],
});
