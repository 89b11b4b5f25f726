import { scanFixVerifyTable } from "./patterns/scan-fix-verify.js";
import { driftDetectorTable } from "./patterns/drift-detector.js";
import { checkSuiteTable } from "./patterns/check-suite.js";
import { reviewLoopTable } from "./patterns/review-loop.js";
import type { PropTable } from "./prop-table.js";

/** One line for each composite. */
export const patternTables = {
  ScanFixVerify: scanFixVerifyTable,
  DriftDetector: driftDetectorTable,
  CheckSuite: checkSuiteTable,
  ReviewLoop: reviewLoopTable,
} satisfies Record<string, PropTable>;
