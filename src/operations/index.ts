// The door of this folder: what other folders may use. The architecture test holds that they use nothing else.

export { agentActivity, type AgentActivity } from "./agents/list-agents.js";
export { type AgentCheck, checkAgents } from "./agents/check-agents.js";
export { type EachResult, forEachRun } from "./bulk/for-each-run.js";
export { selectRuns } from "./bulk/select-runs.js";
export { type CancelRequest, type CancelResult, cancelRun } from "./cancel-run.js";
export { driveChildRun, hasChildWorked } from "./children/drive-child-run.js";
export { rootOf } from "./children/root-run.js";
export {
  completeTask,
  type CompleteTaskRequest,
  type InterventionResult,
  skipTask,
  type SkipTaskRequest,
} from "./complete-task.js";
export { approveNode, type DecisionRequest, type DecisionResult, denyNode } from "./decide-approval.js";
export { keepRefusal } from "./drive/keep-refusal.js";
export { refuseReservedRunId } from "./drive/reserved-run-ids.js";
export { runWith } from "./drive/run-with.js";
export { stayAwake, wakeTime } from "./drive/stay-awake.js";
export { takenByOther } from "./drive/taken-by-other.js";
export { explainRun, type RunExplanation } from "./explain-run.js";
export type { AwaitedTask, Blocker, ReachedCap } from "./explain/blocker.js";
export { type BlockerGroup, groupBlockers } from "./explain/group-blockers.js";
export type { RefusedDecision } from "./explain/refused-decisions.js";
export { type ForkResult, forkRun, type ForkRunOptions } from "./fork-run.js";
export {
  getRun,
  toRunDetail,
  listRuns,
  type RunDetail,
  type RunList,
  type RunListFilter,
  type RunView,
  toRunView,
} from "./get-run.js";
export { type HijackedSession, type HijackRequest, hijackRun, releaseHijack } from "./hijack-run.js";
export type { SavedWorkflows } from "./host/hot-runs.js";
export { type HostedRun, HostedRuns } from "./host/hosted-runs.js";
export { inspectWorkflow, type WorkflowInspection } from "./inspect-workflow.js";
export {
  approvalCursor,
  type ApprovalPage,
  type ApprovalPageFilter,
  LISTED_STATUSES,
  type ListedStatus,
  listApprovals,
  pageApprovals,
} from "./list-approvals.js";
export { listMemoryFacts } from "./list-memory-facts.js";
export { type ScoreTrends, scoreTrends, type ScoreTrendsFilter } from "./score-trends.js";
export { listScores, type ScoreListFilter, type ScorePage } from "./list-scores.js";
export { type PruneRequest, type PruneResult, pruneRuns } from "./prune-runs.js";
export type { RestoredFiles } from "./files/restore-files.js";
export { diffNode, type NodeDiff, type NodeDiffRequest } from "./diff-node.js";
export { diffFrames, type FrameDiff, type FrameDiffRequest } from "./read/diff-frames.js";
export { findRun, findRunIn } from "./read/find-run.js";
export { followEvents, type FollowRequest } from "./read/follow-events.js";
export {
  type AskedQuestion,
  getPrompt,
  type PromptRequest,
  type PromptView,
} from "./read/get-prompt.js";
export { inspectRun, type RunInspection } from "./read/inspect-run.js";
export type { TimedNode } from "./read/node-times.js";
export { inspectTask, type TaskInspection, type TaskRequest } from "./read/inspect-task.js";
export { type Inbox, type InboxFilter, type InboxItem, listInbox } from "./read/list-inbox.js";
export { listNodesAsOf, type NodesAsOf, type NodesAsOfRequest } from "./read/list-nodes-as-of.js";
export { type MemoryFactFilter, type MemoryFactPage, pageMemoryFacts } from "./read/page-memory-facts.js";
export {
  listSpans,
  type RunSpan,
  type SpanPage,
  type SpanQuery,
} from "./read/list-spans.js";
export {
  type FrameQuery,
  type FrameView,
  getFrame,
  getNode,
  listEvents,
  listFrames,
  listNodes,
  type NodeView,
  pageEvents,
  sentFrame,
} from "./read/read-run.js";
export type { RunBudget } from "./read/run-budgets.js";
export type { RunLoop } from "./read/run-loops.js";
export type { RunTime } from "./read/run-time.js";
export { type DamagedRun, damagedRun } from "./read/readable-rows.js";
export { type Conversation, newestThreads, readConversation } from "./read/memory-threads.js";
export { type PreviousInput, previousInputs } from "./read/previous-inputs.js";
export { type WorkflowActivity, workflowActivity } from "./workflow-activity.js";
export { runCursor } from "./read/run-cursor.js";
export {
  runHistogram,
  type RunHistogram,
  type RunHistogramBar,
  type RunHistogramFilter,
} from "./read/run-histogram.js";
export { type FeedItem, RunFeeds } from "./read/run-feeds.js";
export { runStateOf } from "./read/run-state.js";
export { shownEvent } from "./read/shown-event.js";
export { OPEN_STATES, SHOWN_STATES, shownState, type ShownState } from "./read/shown-states.js";
export { storedResult } from "./read/stored-result.js";
export { taskOutput, type TaskText } from "./read/task-output.js";
export type { TokenSums, TokenTotals } from "./read/token-totals.js";
export { type ListedKind, type WorkspaceChange, WorkspaceFeed } from "./read/workspace-feed.js";
export { clientError, type SentError } from "./remedies/client-error.js";
export { remedyOf } from "./remedies/error-remedy.js";
export { remedyCommand } from "./remedies/remedy-command.js";
export { resumeRemedy } from "./remedies/resume.js";
export { retriedTask } from "./remedies/retry-task.js";
export { previewFrame, previewName, renderFrame, type RenderFrameOptions } from "./render-frame.js";
export { findRequest, type RequestAddress } from "./request/find-request.js";
export { type CodeCheck, codeCheck } from "./request/loaded-code.js";
export { requireRun } from "./request/require-run.js";
export { showWaits } from "./request/show-waits.js";
export type { OperationTarget } from "./request/target.js";
export { resetTask, retryTask, type RetryTaskOptions, type RetryTaskResult } from "./retry-task.js";
export { driveWorkflow, runWorkflow } from "./run-workflow.js";
export {
  createSchedule,
  declareSchedule,
  deleteSchedule,
  updateSchedule,
} from "./schedules/change-schedules.js";
export { checkPattern } from "./schedules/cron-times.js";
export { type FireOptions, fireSchedules, startOccurrence } from "./schedules/fire-schedules.js";
export { forgetOldRecords } from "./schedules/forget-old-records.js";
export {
  listSchedules,
  type OccurrenceView,
  type ScheduleList,
  type ScheduleView,
  viewOfOccurrence,
  viewOfSchedule,
} from "./schedules/list-schedules.js";
export { requestScheduledRun } from "./schedules/request-run.js";
export {
  forkForReplay,
  type ReplayFork,
  type ReplayResult,
  replayRun,
  type ReplayRunOptions,
} from "./replay-run.js";
export { type RewindResult, rewindRun, type RewindRunOptions } from "./rewind-run.js";
export { type SignalRequest, type SignalResult, signalRun } from "./send-signal.js";
export { type SuperviseOptions, superviseRuns } from "./supervise-runs.js";
export { runWorker, type WorkerOptions, type WorkerTask } from "./run-worker.js";
export { copyWorkspace, type CopyRequest, type TableCopy } from "./copy-workspace.js";
export { listWorkers, type WorkerView } from "./list-workers.js";
export type { DueRun, PickUpReason } from "./supervise/due-runs.js";
export { createWorkflowFiles, type WorkflowFiles } from "./supervise/workflow-files.js";
export { type DeliveryList, type DeliveryView, listDeliveries } from "./webhooks/list-deliveries.js";
export type { BodyPath, WebhookMapping } from "./webhooks/plan-delivery.js";
export {
  type DeliveryRequest,
  finishDeliveries,
  type PlanParts,
  type ReceiveActions,
  receiveDelivery,
  type ReceivedDelivery,
} from "./webhooks/receive-delivery.js";
export { RefusedRequests } from "./webhooks/refused-requests.js";
export { replayDelivery, type ReplayedDelivery } from "./webhooks/replay-delivery.js";
export {
  findWorkflows,
  resolveWorkflow,
  WORKFLOW_FOLDER,
  type WorkflowFile,
  workflowFilesIn,
  workflowRoot,
} from "./workspace/find-workflows.js";
export type { IdPlace, KnownId } from "./workspace/known-ids.js";
export { listPrompts, type PromptFile } from "./workspace/list-prompts.js";
export { findDatabase, openWorkspace, type Workspace } from "./workspace/open-workspace.js";
