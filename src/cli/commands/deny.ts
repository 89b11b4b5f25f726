import { decideCommand } from "../decide/decide-command.js";

export const deny = decideCommand({
  approves: false,
  examples: [
    { command: "treadle deny latest", meaning: "show the only request of the newest run and ask" },
    { command: "treadle deny k3j2 ship --note 'not today' --yes", meaning: "without a question" },
  ],
});
