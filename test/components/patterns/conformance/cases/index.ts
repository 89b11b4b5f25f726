import type { CompositeCase } from "../composite-case.js";
import { aspects } from "./aspects.js";
import { humanTask } from "./human-task.js";
import { poller } from "./poller.js";
import { reviewLoop } from "./review-loop.js";

/** Each composite under its name. */
export const cases: Readonly<Record<string, CompositeCase>> = {
  Aspects: aspects,
  HumanTask: humanTask,
  Poller: poller,
  ReviewLoop: reviewLoop,
};
