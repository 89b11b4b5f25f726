import type { CompositeCase } from "../composite-case.js";
import { aspects } from "./aspects.js";
import { checkSuite } from "./check-suite.js";
import { driftDetector } from "./drift-detector.js";
import { humanTask } from "./human-task.js";
import { poller } from "./poller.js";
import { reviewLoop } from "./review-loop.js";
import { scanFixVerify } from "./scan-fix-verify.js";

/** Each composite under its name. */
export const cases: Readonly<Record<string, CompositeCase>> = {
  Aspects: aspects,
  CheckSuite: checkSuite,
  DriftDetector: driftDetector,
  HumanTask: humanTask,
  Poller: poller,
  ReviewLoop: reviewLoop,
  ScanFixVerify: scanFixVerify,
};
