import type { ErrorFamily } from "../code-entry.js";

/** One attempt of one task: its output, its time limits, its forks. */
export const taskCodes = {
  UNKNOWN_OUTPUT_SCHEMA: {
    when: "a task's `output` is not a key or schema of the workflow",
    next: "Use an entry of the schema that was given to `createService`, for instance `outputs.<key>`.",
    retryable: false,
  },
  INVALID_OUTPUT: {
    when: "a task's result does not fit its output schema",
    next: "Compare what the message names with the schema; correct the prompt or function, relax the schema, or keep large values in files.",
  },
  MISSING_OUTPUT: {
    when: "`ctx.output` is asked for a row that does not exist yet",
    next: "Use `ctx.outputMaybe` and render without the row, or order the reader after the writer.",
    retryable: false,
  },
  DEP_NOT_SATISFIED: {
    when: "a task that `deps` names has ended without writing a row",
    next: "Let the upstream task write a row, or drop it from `deps` and read it with `ctx.outputMaybe`.",
    retryable: false,
  },
  TASK_AGENT_REQUIRED: {
    when: "a task has a prompt but no agent to send it to",
    next: "Give the task an `agent`, or make its child a value or a function.",
    retryable: false,
  },
  TASK_EMPTY_PROMPT: {
    when: "the prompt of an agent task renders to empty text",
    next: "Give the task text, or skip it with `skipIf` while there is nothing to ask.",
    retryable: false,
  },
  TASK_FAILED: {
    when: "a task's own code throws an error that has no code",
    next: "Mend the code at the place that the error names (`treadle node` has the stack), then run the task again (`treadle retry-task`) or resume the run; with hot reload a save is enough for the next attempt.",
  },
  TASK_TIMEOUT: {
    when: "an attempt takes longer than the task's `timeoutMs`",
    next: "Raise `timeoutMs`, or split the task.",
  },
  TASK_HEARTBEAT_TIMEOUT: {
    when: "an attempt sends no heartbeat for longer than the task's `heartbeatTimeoutMs`",
    next: "Call `heartbeat()` more often, or raise `heartbeatTimeoutMs`.",
  },
  HEARTBEAT_PAYLOAD_TOO_LARGE: {
    when: "a heartbeat carries more than 1 MB of JSON",
    next: "Store the data elsewhere and send a reference to it.",
    retryable: false,
  },
  HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE: {
    when: "a heartbeat carries a value that JSON cannot hold or would lose, such as a function, a `Map` or `NaN`",
    next: "Send plain JSON values only: text, finite numbers, booleans, null, lists and plain objects of them.",
    retryable: false,
  },
  TASK_ABORTED: {
    when: "the abort signal of an attempt fired before it had a result",
    next: "Look at the cause: the run was cancelled, stopped, or a time limit was reached.",
    retryable: false,
  },
  TASK_EXITED_PROCESS: {
    when: "a task's code calls `process.exit`, which ends, or in a process that serves many runs would end, all of them",
    next: "Throw an error instead, or run what exits as a process of its own; the run is kept and can be resumed.",
    retryable: false,
  },
  TASK_INTERRUPTED_TOO_OFTEN: {
    when: "the process died so many times in a row while it ran the same task, or rendered a run before any of its tasks began, that another attempt is pointless",
    next: "Look at what ends the process there (memory, `process.exit`, a native crash, a host that stops it too early: `treadle events <run> --type NodeInterrupted`), then retry the task, or resume the run; `maxInterruptions` sets the limit, 0 turns it off.",
    retryable: false,
  },
  RETRY_STORM: {
    when: "the same error occurred on one node so many times in a row that another attempt is pointless",
    next: "Fix the repeated error, then retry the task; `maxIdenticalFailures` sets the limit, 0 turns it off.",
    retryable: false,
  },
  TASK_HIJACK_UNSUPPORTED: {
    when: "a person wants to take over a task whose agent cannot hand over its session",
    next: "Use an agent that supports hijack, or retry the task instead.",
    retryable: false,
    httpStatus: 409,
  },
  TASK_FORK_SOURCE_NOT_FOUND: {
    when: "the task to fork a session from is not in the plan",
    next: "Correct the id of the fork source, or mount that task.",
    retryable: false,
    httpStatus: 404,
  },
  TASK_FORK_SOURCE_NOT_COMPLETE: {
    when: "the task to fork a session from has not finished",
    next: "Order this task after its fork source with `dependsOn`.",
    retryable: false,
  },
  TASK_FORK_SESSION_UNAVAILABLE: {
    when: "the task to fork from has finished without leaving an agent session",
    next: "Fork from a task whose agent keeps resumable sessions, or pass its output on with `deps`.",
    retryable: false,
  },
  TASK_FORK_CYCLE: {
    when: "tasks fork their sessions from each other in a circle",
    next: "Remove one of the forks listed in `details.circle`.",
    retryable: false,
  },
  ASPECT_BUDGET_EXCEEDED: {
    when: "the tasks inside an `Aspects` component have used up a budget whose policy is to fail",
    next: "Raise the limit named in `details.budget`, or do less inside the component.",
    retryable: false,
  },
  RALPH_MAX_REACHED: {
    when: 'a loop with `onMaxReached="fail"` reaches `maxIterations` before `until` holds',
    next: 'Raise `maxIterations`, correct `until`, or accept the last result with `onMaxReached="return-last"`.',
    retryable: false,
  },
  APPROVAL_DENIED: {
    when: "a person denied an approval whose policy is to fail",
    next: 'Read the decision\'s note. A resume keeps the denial; `retryTask` (`treadle retry-task`) asks again. Use `onDeny="continue"` or `"skip"` if a denial should not fail the run.',
    retryable: false,
  },
  SCORER_FAILED: {
    when: "a scorer threw, returned something that is not a finite score, took longer than `scorerTimeoutMs`, or was not asked any more: its run was cancelled, or its workflow has no such scorer now",
    next: "Fix the scorer named in `details.scorer`; the scored task keeps its output.",
  },
  TASK_RUNTIME_UNAVAILABLE: {
    when: "`getTaskRuntime()` is called outside the function of a running task",
    next: "Call it inside the task's function, before or after awaits, not while rendering.",
    retryable: false,
  },
} as const satisfies ErrorFamily;
