import { decideCommand } from "../decide/decide-command.js";

export const approve = decideCommand({
  approves: true,
  examples: [
    { command: "treadle approve latest", meaning: "show the only request of the newest run and ask" },
    { command: "treadle approve k3j2 ship --note 'checked' --yes", meaning: "without a question" },
    { command: "treadle approve k3j2 plan --select b --yes", meaning: "choose the option b" },
  ],
});
