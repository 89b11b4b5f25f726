import type { WorkflowElement } from "../util/element.js";
import type { SchemaMap } from "../model/schema.js";
import { ContinueAsNew, continueAsNew } from "./control/ContinueAsNew.js";
import { Saga } from "./control/Saga.js";
import { SagaStep } from "./control/SagaStep.js";
import { TryCatchFinally } from "./control/TryCatchFinally.js";
import { CheckSuite, type CheckSuiteComponent } from "./patterns/CheckSuite.js";
import { DriftDetector, type DriftDetectorComponent } from "./patterns/DriftDetector.js";
import { Kanban, type KanbanComponent } from "./patterns/Kanban.js";
import { Poller, type PollerComponent } from "./patterns/Poller.js";
import { ClassifyAndRoute, type ClassifyAndRouteComponent } from "./patterns/ClassifyAndRoute.js";
import { ContentPipeline, type ContentPipelineComponent } from "./patterns/ContentPipeline.js";
import { Debate, type DebateComponent } from "./patterns/Debate.js";
import { DecisionTable } from "./patterns/DecisionTable.js";
import { EscalationChain, type EscalationChainComponent } from "./patterns/EscalationChain.js";
import { GatherAndSynthesize, type GatherAndSynthesizeComponent } from "./patterns/GatherAndSynthesize.js";
import { Optimizer, type OptimizerComponent } from "./patterns/Optimizer.js";
import { Panel, type PanelComponent } from "./patterns/Panel.js";
import { ReviewLoop, type ReviewLoopComponent } from "./patterns/ReviewLoop.js";
import { Runbook, type RunbookComponent } from "./patterns/Runbook.js";
import { ScanFixVerify, type ScanFixVerifyComponent } from "./patterns/ScanFixVerify.js";
import { Supervisor, type SupervisorComponent } from "./patterns/Supervisor.js";
import { Aspects } from "./structure/Aspects.js";
import { Branch } from "./structure/Branch.js";
import { Loop } from "./structure/Loop.js";
import { MergeQueue } from "./structure/MergeQueue.js";
import { Parallel } from "./structure/Parallel.js";
import { Ralph } from "./structure/Ralph.js";
import { Sequence } from "./structure/Sequence.js";
import { Workflow } from "./structure/Workflow.js";
import { Worktree } from "./structure/Worktree.js";
import { Approval, type ApprovalComponent } from "./tasks/Approval.js";
import { ApprovalGate, type ApprovalGateComponent } from "./tasks/ApprovalGate.js";
import { HumanTask, type HumanTaskComponent } from "./tasks/HumanTask.js";
import { Signal, type SignalComponent } from "./tasks/Signal.js";
import { Subflow, type SubflowComponent } from "./tasks/Subflow.js";
import { Task, type TaskComponent } from "./tasks/Task.js";
import { Timer } from "./tasks/Timer.js";
import { WaitForEvent, type WaitForEventComponent } from "./tasks/WaitForEvent.js";

/**
 * The components of a workflow module, typed by its schemas: an output that the
 * module does not have, or a row of the wrong shape, is a compile error.
 */
export interface ServiceComponents<S extends SchemaMap> {
  Workflow: typeof Workflow;
  Sequence: typeof Sequence;
  Parallel: typeof Parallel;
  MergeQueue: typeof MergeQueue;
  Branch: typeof Branch;
  Loop: typeof Loop;
  /** @deprecated Use `Loop`. */
  Ralph: typeof Ralph;
  Worktree: typeof Worktree;
  Aspects: typeof Aspects;
  ContinueAsNew: typeof ContinueAsNew;
  continueAsNew(state?: unknown): WorkflowElement;
  Saga: typeof Saga;
  SagaStep: typeof SagaStep;
  TryCatchFinally: typeof TryCatchFinally;
  Task: TaskComponent<S>;
  Approval: ApprovalComponent<S>;
  ApprovalGate: ApprovalGateComponent<S>;
  Signal: SignalComponent<S>;
  WaitForEvent: WaitForEventComponent<S>;
  Timer: typeof Timer;
  HumanTask: HumanTaskComponent<S>;
  Subflow: SubflowComponent<S>;
  Poller: PollerComponent<S>;
  Kanban: KanbanComponent<S>;
  Supervisor: SupervisorComponent<S>;
  Runbook: RunbookComponent<S>;
  ScanFixVerify: ScanFixVerifyComponent<S>;
  DriftDetector: DriftDetectorComponent<S>;
  CheckSuite: CheckSuiteComponent<S>;
  ClassifyAndRoute: ClassifyAndRouteComponent<S>;
  ContentPipeline: ContentPipelineComponent<S>;
  Debate: DebateComponent<S>;
  DecisionTable: typeof DecisionTable;
  EscalationChain: EscalationChainComponent<S>;
  GatherAndSynthesize: GatherAndSynthesizeComponent<S>;
  Optimizer: OptimizerComponent<S>;
  Panel: PanelComponent<S>;
  ReviewLoop: ReviewLoopComponent<S>;
}

/** The components themselves; schemas only change their types. */
export const components: ServiceComponents<SchemaMap> = {
  Workflow,
  Sequence,
  Parallel,
  MergeQueue,
  Branch,
  Loop,
  Ralph,
  Worktree,
  Aspects,
  ContinueAsNew,
  continueAsNew,
  Saga,
  SagaStep,
  TryCatchFinally,
  Task,
  Approval,
  ApprovalGate,
  Signal,
  WaitForEvent,
  Timer,
  HumanTask,
  Subflow,
  Poller,
  Kanban,
  Supervisor,
  Runbook,
  ScanFixVerify,
  DriftDetector,
  CheckSuite,
  ClassifyAndRoute,
  ContentPipeline,
  Debate,
  DecisionTable,
  EscalationChain,
  GatherAndSynthesize,
  Optimizer,
  Panel,
  ReviewLoop,
};
