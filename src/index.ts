// The public names of the package, by topic. Nothing else is exported from the root.

// Authoring
export { createService, type CreateServiceOptions } from "./service/create-service.js";
export {
  createServicePostgres,
  type CreateServicePostgresOptions,
  type ServicePostgresApi,
} from "./service/create-service-postgres.js";
export type { ServiceApi } from "./service/service-api.js";
export {
  createExternalService,
  type ExternalService,
  type ExternalServiceOptions,
} from "./service/create-external-service.js";
export type { ExternalNode, ExternalText } from "./components/external/external-element.js";
export type { SerializedContext } from "./components/external/serialize-context.js";
export { useCtx } from "./components/use-ctx.js";
export { getTaskRuntime } from "./engine/index.js";

// Components. createService returns the same ones, typed by the module's schemas.
export { ContinueAsNew, continueAsNew, type ContinueAsNewProps } from "./components/control/ContinueAsNew.js";
export { Saga, type SagaProps } from "./components/control/Saga.js";
export { SagaStep, type SagaStepProps } from "./components/control/SagaStep.js";
export { TryCatchFinally, type TryCatchFinallyProps } from "./components/control/TryCatchFinally.js";
export {
  CheckSuite,
  type CheckSuiteProps,
  type SuiteCheck,
  type CheckSuiteComponent,
} from "./components/patterns/CheckSuite.js";
export {
  DriftDetector,
  type DriftDetectorProps,
  type DriftPoll,
  type DriftDetectorComponent,
} from "./components/patterns/DriftDetector.js";
export {
  Kanban,
  type KanbanCard,
  type KanbanColumn,
  type KanbanProps,
  type KanbanTicket,
  type KanbanComponent,
} from "./components/patterns/Kanban.js";
export { Poller, type PollerProps, type PollerComponent } from "./components/patterns/Poller.js";
export {
  ClassifyAndRoute,
  type ClassifyAndRouteProps,
  type RouteCategory,
  type ClassifyAndRouteComponent,
} from "./components/patterns/ClassifyAndRoute.js";
export {
  ContentPipeline,
  type ContentPipelineProps,
  type ContentStage,
  type ContentPipelineComponent,
} from "./components/patterns/ContentPipeline.js";
export { Debate, type DebateProps, type DebateComponent } from "./components/patterns/Debate.js";
export {
  DecisionTable,
  type DecisionRule,
  type DecisionTableProps,
} from "./components/patterns/DecisionTable.js";
export {
  EscalationChain,
  type EscalationChainProps,
  type EscalationCheck,
  type EscalationLevel,
  type EscalationChainComponent,
} from "./components/patterns/EscalationChain.js";
export {
  GatherAndSynthesize,
  type GatherAndSynthesizeProps,
  type GatherSource,
  type GatherAndSynthesizeComponent,
} from "./components/patterns/GatherAndSynthesize.js";
export { Optimizer, type OptimizerProps, type OptimizerComponent } from "./components/patterns/Optimizer.js";
export {
  Panel,
  type Panelist,
  type PanelProps,
  type PanelStrategy,
  type PanelComponent,
} from "./components/patterns/Panel.js";
export {
  ReviewLoop,
  type ReviewLoopProps,
  type ReviewLoopComponent,
} from "./components/patterns/ReviewLoop.js";
export {
  Runbook,
  type RunbookProps,
  type RunbookStep,
  type RunbookComponent,
} from "./components/patterns/Runbook.js";
export { Sandbox, type SandboxProps, type SandboxComponent } from "./components/patterns/Sandbox.js";
export type {
  DiffBundle,
  DiffPatch,
  SandboxProvider,
  SandboxRequest,
  SandboxBundle,
  SandboxResult,
} from "./model/sandbox-provider.js";
export type { SandboxEgress, SandboxPort, SandboxVolume, SandboxWorkspace } from "./model/sandbox-access.js";
export { registerSandboxProvider } from "./sandbox/provider.js";
export {
  ScanFixVerify,
  type ScanFixVerifyProps,
  type ScanFixVerifyComponent,
} from "./components/patterns/ScanFixVerify.js";
export {
  Sidecar,
  type SidecarDelta,
  type SidecarProps,
  type SidecarComponent,
} from "./components/patterns/Sidecar.js";
export {
  SuperService,
  type SuperServiceProps,
  type SuperServiceComponent,
} from "./components/patterns/SuperService.js";
export {
  Supervisor,
  type SupervisorProps,
  type SupervisorComponent,
} from "./components/patterns/Supervisor.js";
export { Aspects, type AspectsProps } from "./components/structure/Aspects.js";
export { Branch, type BranchProps } from "./components/structure/Branch.js";
export { Loop, type LoopProps } from "./components/structure/Loop.js";
export { MergeQueue, type MergeQueueProps } from "./components/structure/MergeQueue.js";
export { Parallel, type ParallelProps } from "./components/structure/Parallel.js";
export { Ralph } from "./components/structure/Ralph.js";
export { Sequence, type SequenceProps } from "./components/structure/Sequence.js";
export { Workflow, type WorkflowProps } from "./components/structure/Workflow.js";
export { Worktree, type WorktreeProps } from "./components/structure/Worktree.js";
export { Approval, type ApprovalProps, type ApprovalComponent } from "./components/tasks/Approval.js";
export {
  ApprovalGate,
  type ApprovalGateProps,
  type ApprovalGateComponent,
} from "./components/tasks/ApprovalGate.js";
export { HumanTask, type HumanTaskProps, type HumanTaskComponent } from "./components/tasks/HumanTask.js";
export { Signal, type SignalProps, type SignalComponent } from "./components/tasks/Signal.js";
export {
  type EmbeddedWorkflow,
  Subflow,
  type SubflowProps,
  type SubflowComponent,
} from "./components/tasks/Subflow.js";
export { Task, type TaskProps, type TaskComponent } from "./components/tasks/Task.js";
export { Timer, type TimerProps } from "./components/tasks/Timer.js";
export {
  WaitForEvent,
  type WaitForEventProps,
  type WaitForEventComponent,
} from "./components/tasks/WaitForEvent.js";

// Agents; `treadle/agents` has the rest
export {
  AmpAgent,
  AntigravityAgent,
  AnthropicAgent,
  type BaseCliAgentOptions,
  ClaudeCodeAgent,
  CliAgent1,
  CliAgent2,
  CliAgent3,
  CliAgent4,
  CliAgent5,
  CliAgent6,
  CliAgent7,
  CliAgent8,
  CliAgent9,
  CliAgent10,
  CodexAgent,
  CompatAgent,
  ForgeAgent,
  GeminiAgent,
  hashCapabilityRegistry,
  KimiAgent,
  OpenAIAgent,
  OpenCodeAgent,
  PiAgent,
  ProviderAgentA,
  ProviderAgentB,
  VibeAgent,
} from "./agents/index.js";

// Tools; `treadle/tools` and `treadle/openapi` have the rest
export {
  bash,
  createHttpTool,
  defineTool,
  edit,
  grep,
  type HttpToolInput,
  type HttpToolOutput,
  read,
  write,
} from "./tools/index.js";
export {
  createOpenApiTool,
  createOpenApiTools,
  createOpenApiToolSync,
  createOpenApiToolsSync,
  listOperations,
  type OpenApiAuth,
  type OpenApiSpec,
  type OpenApiToolsOptions,
} from "./openapi/index.js";

// Running
export { completeTask, type CompleteTaskRequest, type InterventionResult } from "./operations/index.js";
export { skipTask, type SkipTaskRequest } from "./operations/index.js";
export {
  approveNode,
  type AwaitedTask,
  type Blocker,
  type CancelRequest,
  type CancelResult,
  cancelRun,
  type DecisionRequest,
  type DecisionResult,
  denyNode,
  diffNode,
  type DueRun,
  explainRun,
  followEvents,
  type FollowRequest,
  type ForkResult,
  forkRun,
  type ForkRunOptions,
  getFrame,
  getNode,
  getRun,
  type HijackedSession,
  type HijackRequest,
  hijackRun,
  listApprovals,
  listEvents,
  listFrames,
  listMemoryFacts,
  listNodes,
  listRuns,
  listScores,
  listWorkers,
  type MemoryFactFilter,
  type MemoryFactPage,
  type NodeDiff,
  type NodeDiffRequest,
  type NodeView,
  type OperationTarget,
  type PickUpReason,
  type PruneRequest,
  type PruneResult,
  pruneRuns,
  type ReachedCap,
  type RefusedDecision,
  releaseHijack,
  remedyOf,
  renderFrame,
  type RenderFrameOptions,
  retryTask,
  type RetryTaskOptions,
  type RetryTaskResult,
  type ReplayFork,
  type ReplayResult,
  type RestoredFiles,
  replayRun,
  type ReplayRunOptions,
  type RewindResult,
  rewindRun,
  type RewindRunOptions,
  type RunDetail,
  type RunExplanation,
  type RunList,
  type RunListFilter,
  type RunView,
  runWorker,
  runWorkflow,
  type ScoreListFilter,
  type ScorePage,
  type SignalRequest,
  type SignalResult,
  signalRun,
  type SuperviseOptions,
  superviseRuns,
  type WorkerOptions,
  type WorkerTask,
  type WorkerView,
} from "./operations/index.js";
export { type LimitHolder, type LimitUse, ServiceDb, type WorkflowDatabase } from "./store/index.js";

// Waiting runs
export { approvalDecision, approvalRanking, approvalSelection } from "./model/approval-rows.js";

// Hosts; `treadle/server`, `treadle/serve` and `treadle/gateway` have the rest
export { createServeApp, type ServeApp, type ServeOptions } from "./hosts/serve/create-serve-app.js";
export {
  Gateway,
  type GatewayAuthConfig,
  type GatewayDefaults,
  type GatewayOperatorUiConfig,
  type GatewayOptions,
  type GatewayRegisterOptions,
  type GatewayTokenGrant,
  type GatewayUiConfig,
  type GatewayWebhookConfig,
  type GatewayWebhookRunConfig,
  type GatewayWebhookSignalConfig,
} from "./hosts/gateway/index.js";
export type { ServerOptions } from "./hosts/server/server-options.js";
export { startServer } from "./hosts/server/start-server.js";

// Metrics, logs, traces; `treadle/observability` has the rest
export {
  createServiceObservabilityLayer,
  createServiceOtelLayer,
  createServiceRuntimeLayer,
  prometheusContentType,
  renderPrometheusMetrics,
  resolveServiceObservabilityOptions,
  serviceMetrics,
  ServiceObservability,
  type ServiceObservabilityOptions,
  trackServiceEvent,
} from "./observability/index.js";

// Scores and memory; `treadle/scorers` and `treadle/memory` have the rest
export type {
  AggregateOptions,
  AggregateScore,
  CreateScorerConfig,
  LlmJudgeConfig,
  SampledScore,
  Scorer,
  ScorerBinding,
  ScorerContext,
  ScorerInput,
  ScorerUsage,
  ScoreResult,
  ScoreRow,
  ScorersMap,
  TaskScore,
} from "./scorers/index.js";
export type {
  MemoryFact,
  MemoryMessage,
  MemoryNamespace,
  MemoryProcessorConfig,
  MemoryStore,
  MemoryThread,
  MessageHistoryConfig,
  SemanticRecallConfig,
  TaskMemoryConfig,
  WorkingMemoryConfig,
} from "./memory/index.js";

// Errors
export { ServiceError, type ServiceErrorOptions } from "./errors/service-error.js";
export type { KnownErrorCode, ServiceErrorCode } from "./errors/codes.js";
export type { SerializedError } from "./errors/ensure-error.js";

// Vocabulary
export type {
  AgentCliEvent,
  AgentGenerateOptions,
  AgentInput,
  AgentLike,
  AgentCapabilityRegistry,
  TokenUsage,
} from "./model/agent.js";
export type {
  Alert,
  AlertCondition,
  AlertHandler,
  AlertPolicy,
  AlertReaction,
  AlertRule,
} from "./model/alert.js";
export type { PanelTally } from "./model/panel-tally.js";
export type { ApprovalOption, ApprovalRequest, ApprovalRow } from "./model/approval.js";
export type { ApprovalDecision, NodeWait } from "./model/intent.js";
export type { OutputKey, OutputsAccessor, WorkflowContext } from "./model/context.js";
export type { RunEvent, RunEventType, StoredEvent } from "./model/events.js";
export type { GraphSnapshot } from "./model/graph.js";
export type { AttemptRow, NodeRow, NodeState } from "./model/node.js";
export type { HotReloadOptions, RunOptions } from "./model/run-options.js";
export type { ResumeFailure, RunResult, RunRow, RunState, RunStatus } from "./model/run.js";
export type { RunAuthContext } from "./model/run-auth.js";
export type { Remedy } from "./model/remedy.js";
export type { NamedLimit, NamedLimits } from "./model/named-limit.js";
export type { ObjectSchema, ValueSchema } from "./model/row-schema.js";
export type { InputOf, OutputRow, OutputTable, OutputTarget, ResultOf, SchemaMap } from "./model/schema.js";
export type { CachePolicy, RetryPolicy, TaskDescriptor, TaskRuntime } from "./model/task.js";
export type { ServiceWorkflow, ServiceWorkflowOptions } from "./model/workflow.js";
export type { XmlNode } from "./model/xml.js";
export type { ElementKey, WorkflowElement, WorkflowNode } from "./util/element.js";
