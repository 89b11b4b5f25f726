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
import { Sidecar, type SidecarComponent } from "./patterns/Sidecar.js";
import { Sandbox, type SandboxComponent } from "./patterns/Sandbox.js";
import { SuperService, type SuperServiceComponent } from "./patterns/SuperService.js";
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
  /** The root of a workflow. */
  Workflow: typeof Workflow;
  /** Children one after the other. */
  Sequence: typeof Sequence;
  /** Children at the same time. */
  Parallel: typeof Parallel;
  /** One task at a time: of those that are ready, the first in the order of the tree is next. */
  MergeQueue: typeof MergeQueue;
  /** Mounts `then` or `else`; the other side is not part of the plan. */
  Branch: typeof Branch;
  /** Mounts its children again, with the next iteration, until `until` holds. */
  Loop: typeof Loop;
  /** The former name of `Loop`. @deprecated Use `Loop`. */
  Ralph: typeof Ralph;
  /** Tasks inside work in a checkout of their own. */
  Worktree: typeof Worktree;
  /** Limits what the tasks inside may spend. */
  Aspects: typeof Aspects;
  /** When it is reached, the run ends and continues as a new run with the same input. */
  ContinueAsNew: typeof ContinueAsNew;
  /** `<ContinueAsNew state={state} />` as a function. */
  continueAsNew(state?: unknown): WorkflowElement;
  /** Actions one after the other; when one fails, the finished ones are undone. */
  Saga: typeof Saga;
  /** One action of a `Saga`, and what undoes it. */
  SagaStep: typeof SagaStep;
  /** Contains failures of the tasks in `try`. */
  TryCatchFinally: typeof TryCatchFinally;
  /** One unit of work that writes one row. */
  Task: TaskComponent<S>;
  /** Waits for a person's decision. */
  Approval: ApprovalComponent<S>;
  /** An `Approval` that is only asked for `when` it is needed. */
  ApprovalGate: ApprovalGateComponent<S>;
  /** Waits for the signal named by `id`. */
  Signal: SignalComponent<S>;
  /** Waits for an event from outside. */
  WaitForEvent: WaitForEventComponent<S>;
  /** Waits for time to pass. */
  Timer: typeof Timer;
  /** Asks a person to fill in the row. */
  HumanTask: HumanTaskComponent<S>;
  /** Another workflow as a step of this one. */
  Subflow: SubflowComponent<S>;
  /** Another workflow in isolation, on a copy of the files; its changes come back as a patch. */
  Sandbox: SandboxComponent<S>;
  /** Checks again and again, with a delay in between, until the row says `satisfied: true`. */
  Poller: PollerComponent<S>;
  /** Reads source files, has an agent propose changes to them, writes these, and reports them as a diff. */
  SuperService: SuperServiceComponent<S>;
  /** Lets a second agent, usually a cheaper one, do the same work beside the first, and compares their scores. */
  Sidecar: SidecarComponent<S>;
  /** Tickets move through columns; in each of them an agent works on them. */
  Kanban: KanbanComponent<S>;
  /** A boss plans, workers do what the plan gives them, and the boss reviews, round after round until all is done. */
  Supervisor: SupervisorComponent<S>;
  /** Steps one after the other; risky ones wait for a person. */
  Runbook: RunbookComponent<S>;
  /** Scans for issues, fixes them side by side and verifies, round after round until all are resolved; then reports. */
  ScanFixVerify: ScanFixVerifyComponent<S>;
  /** Compares how things are with how they ought to be, once or at intervals, and raises an alert at the first drift. */
  DriftDetector: DriftDetectorComponent<S>;
  /** Runs checks side by side and says whether they passed. */
  CheckSuite: CheckSuiteComponent<S>;
  /** Puts items into categories, and hands each to the agent of its category. */
  ClassifyAndRoute: ClassifyAndRouteComponent<S>;
  /** Hands a piece of work from agent to agent. */
  ContentPipeline: ContentPipelineComponent<S>;
  /** Two sides argue for some rounds, each seeing all earlier arguments; then a judge, who has seen everything, decides. */
  Debate: DebateComponent<S>;
  /** Mounts what the matching rule says. */
  DecisionTable: typeof DecisionTable;
  /** Asks one level after the other until a row stands, at last a person. */
  EscalationChain: EscalationChainComponent<S>;
  /** Gathers from several sources at the same time, and makes one result of it. */
  GatherAndSynthesize: GatherAndSynthesizeComponent<S>;
  /** Generates and scores, round after round, until the score is good enough. */
  Optimizer: OptimizerComponent<S>;
  /** Asks several agents the same and makes one result of their answers. */
  Panel: PanelComponent<S>;
  /** Produces and reviews, round after round, until every reviewer approves. */
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
  Sandbox,
  Timer,
  HumanTask,
  Subflow,
  Poller,
  SuperService,
  Sidecar,
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
