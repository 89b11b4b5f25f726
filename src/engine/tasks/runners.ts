import type { TaskKind } from "../../model/task.js";
import type { TaskRunner } from "../ports.js";
import { runAgent } from "./agent.js";
import { runApproval } from "./approval.js";
import { runCompute } from "./compute.js";
import { runEvent } from "./event.js";
import { runHuman } from "./human.js";
import { runStatic } from "./static.js";
import { runSubflow } from "./subflow.js";
import { runTimer } from "./timer.js";

/** One runner per kind of task. A kind without one does not compile. */
export const runners = {
  static: runStatic,
  compute: runCompute,
  agent: runAgent,
  approval: runApproval,
  human: runHuman,
  subflow: runSubflow,
  event: runEvent,
  timer: runTimer,
} as const satisfies Record<TaskKind, TaskRunner>;
