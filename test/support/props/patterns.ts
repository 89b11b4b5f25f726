import { sidecarTable } from "./patterns/sidecar.js";
import { sandboxTable } from "./patterns/sandbox.js";
import { superServiceTable } from "./patterns/super-service.js";
import { kanbanTable } from "./patterns/kanban.js";
import { supervisorTable } from "./patterns/supervisor.js";
import { runbookTable } from "./patterns/runbook.js";
import { scanFixVerifyTable } from "./patterns/scan-fix-verify.js";
import { driftDetectorTable } from "./patterns/drift-detector.js";
import { checkSuiteTable } from "./patterns/check-suite.js";
import { classifyAndRouteTable } from "./patterns/classify-and-route.js";
import { contentPipelineTable } from "./patterns/content-pipeline.js";
import { debateTable } from "./patterns/debate.js";
import { decisionTableTable } from "./patterns/decision-table.js";
import { escalationChainTable } from "./patterns/escalation-chain.js";
import { gatherAndSynthesizeTable } from "./patterns/gather-and-synthesize.js";
import { optimizerTable } from "./patterns/optimizer.js";
import { panelTable } from "./patterns/panel.js";
import { reviewLoopTable } from "./patterns/review-loop.js";
import type { PropTable } from "./prop-table.js";

/** One line for each composite. */
export const patternTables = {
  Sidecar: sidecarTable,
  Sandbox: sandboxTable,
  SuperService: superServiceTable,
  Kanban: kanbanTable,
  Supervisor: supervisorTable,
  Runbook: runbookTable,
  ScanFixVerify: scanFixVerifyTable,
  DriftDetector: driftDetectorTable,
  CheckSuite: checkSuiteTable,
  ClassifyAndRoute: classifyAndRouteTable,
  ContentPipeline: contentPipelineTable,
  Debate: debateTable,
  DecisionTable: decisionTableTable,
  EscalationChain: escalationChainTable,
  GatherAndSynthesize: gatherAndSynthesizeTable,
  Optimizer: optimizerTable,
  Panel: panelTable,
  ReviewLoop: reviewLoopTable,
} satisfies Record<string, PropTable>;
