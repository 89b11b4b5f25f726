import { kanban } from "./kanban.js";
import { runbook } from "./runbook.js";
import { supervisor } from "./supervisor.js";
import { sidecar } from "./sidecar.js";
import { superService } from "./super-service.js";
import type { CompositeCase } from "../composite-case.js";
import { aspects } from "./aspects.js";
import { checkSuite } from "./check-suite.js";
import { driftDetector } from "./drift-detector.js";
import { classifyAndRoute } from "./classify-and-route.js";
import { contentPipeline } from "./content-pipeline.js";
import { debate } from "./debate.js";
import { decisionTable } from "./decision-table.js";
import { escalationChain } from "./escalation-chain.js";
import { gatherAndSynthesize } from "./gather-and-synthesize.js";
import { humanTask } from "./human-task.js";
import { optimizer } from "./optimizer.js";
import { panel } from "./panel.js";
import { poller } from "./poller.js";
import { reviewLoop } from "./review-loop.js";
import { sandbox } from "./sandbox.js";
import { scanFixVerify } from "./scan-fix-verify.js";

/** Each composite under its name. */
export const cases: Readonly<Record<string, CompositeCase>> = {
  Aspects: aspects,
  CheckSuite: checkSuite,
  DriftDetector: driftDetector,
  ClassifyAndRoute: classifyAndRoute,
  ContentPipeline: contentPipeline,
  Debate: debate,
  DecisionTable: decisionTable,
  EscalationChain: escalationChain,
  GatherAndSynthesize: gatherAndSynthesize,
  HumanTask: humanTask,
  Optimizer: optimizer,
  Panel: panel,
  Poller: poller,
  ReviewLoop: reviewLoop,
  Sandbox: sandbox,
  ScanFixVerify: scanFixVerify,
  Kanban: kanban,
  Runbook: runbook,
  Supervisor: supervisor,
  Sidecar: sidecar,
  SuperService: superService,
};
