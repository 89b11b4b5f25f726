import type { ErrorFamily } from "../code-entry.js";

/** Starting, resuming, driving and ending a run. */
export const runCodes = {
  INVALID_INPUT: {
    when: "run input, or an argument of a public call, does not fit its schema",
    next: "Correct what the message names and call again.",
    retryable: false,
    httpStatus: 400,
  },
  ALERT_POLICY_INVALID: {
    when: "an alert policy names a condition, reaction or destination that does not exist, or has the wrong shape",
    next: "Correct the place named in the message; docs/alerts.md lists the conditions and reactions.",
    retryable: false,
  },
  LIMIT_CONFLICT: {
    when: "a run that is being driven has declared a limit of the same name and database otherwise",
    next: "Declare it the same everywhere, such as in one module; to change it, let the runs that are driven with the old values end or stop their processes first.",
    httpStatus: 409,
  },
  MISSING_INPUT: {
    when: "a run is resumed or read and its stored input row is gone",
    next: "Check that `dbPath` points at the database that started the run; otherwise start a new run.",
    retryable: false,
  },
  MISSING_INPUT_TABLE: {
    when: "the workflow's schema has no `input` entry but the run needs one",
    next: "Add an `input` schema to `createService`, or start the run without input.",
    retryable: false,
  },
  RESUME_METADATA_MISMATCH: {
    when: "a run is resumed with a workflow file, code or repository that differs from the one it started with",
    next: "Restore what `details.changes` lists, or, if the run can continue with it, accept it: `treadle up --resume <runId> --accept-workflow-change`, in code `acceptWorkflowChange: true`. If the files are the same, another compiler printed them differently (docs/concepts/changed-code.md).",
    retryable: false,
    httpStatus: 409,
  },
  RUN_EXISTS: {
    when: "a run is created under an id that is already taken",
    next: "Resume that run with `resume: true`, or choose another `runId`.",
    retryable: false,
    httpStatus: 409,
  },
  RUN_NOT_FOUND: {
    when: "no run with this id exists in the database",
    next: "List the runs (`treadle ps`) and check that you look at the right database.",
    retryable: false,
    httpStatus: 404,
  },
  NODE_NOT_FOUND: {
    when: "the run has no node with this id and iteration",
    next: "Inspect the run (`treadle inspect <runId>`) for its node ids and iterations.",
    retryable: false,
    httpStatus: 404,
  },
  OUTPUT_NOT_FOUND: {
    when: "the output row of a task is asked for and there is none",
    next: "Look at the task's state (`treadle node <run> <node>`): only a finished task with an output has a row.",
    retryable: false,
    httpStatus: 404,
  },
  SNAPSHOT_NOT_FOUND: {
    when: "the run has no stored frame with this number, or no workspace of a sandbox a snapshot with this id",
    next: "List the run's frames, or its events SandboxCompleted, and choose one that is there; what was pruned cannot be restored.",
    retryable: false,
    httpStatus: 404,
  },
  TIME_TRAVEL_SIDE_EFFECT_BLOCKED: {
    when: "a run is to go back behind calls of tools that have changed something outside, which would be made again; or forward to rows of calls that were undone",
    next: "Look at what `effects` of the details names and undo it by hand, or accept that it happens again (`acceptEffects`). Fork the run to leave it as it is.",
    retryable: false,
    httpStatus: 409,
  },
  TIME_TRAVEL_REVERT_FAILED: {
    when: "a tool's `revert` has failed while a run was to go back behind one of its calls",
    next: "See to what the message names and rewind again: what is undone stays undone. `revert: false` with `acceptEffects` leaves effects as they are.",
    retryable: true,
    httpStatus: 500,
  },
  RUN_NOT_ACTIVE: {
    when: "an action needs a run that is still going, and this one has ended",
    next: "Check the run's status; start a new run, or resume this one first if it failed or was cancelled.",
    retryable: false,
    httpStatus: 409,
  },
  RUN_STILL_RUNNING: {
    when: "a start, resume or removal meets a run that is being driven right now",
    next: "Wait for it to end or cancel it, then try again.",
    httpStatus: 409,
  },
  RUN_OWNER_ALIVE: {
    when: "a resume meets a run whose owner process still sends heartbeats",
    next: "Stop the process named in `details.ownerId`, or wait until its heartbeat is stale.",
    httpStatus: 409,
  },
  RUN_NOT_RESUMABLE: {
    when: "a resume meets a run in a state that cannot continue, such as one continued as a new run",
    next: "Read the run's status: what has finished stays as it is, and a continued run continues in its successor.",
    retryable: false,
    httpStatus: 409,
  },
  RUN_RESUME_CLAIM_FAILED: {
    when: "another process claimed the run first",
    next: "Nothing is lost: watch the run, the other process drives it.",
    httpStatus: 409,
  },
  RUN_RESUME_CLAIM_LOST: {
    when: "a newer owner took the run over, so this process may no longer commit",
    next: "Nothing is lost: watch the run under its new owner.",
    httpStatus: 409,
  },
  RUN_RESUME_ACTIVATION_FAILED: {
    when: "the run was claimed but could not be set to running",
    next: "Resume it again; if that keeps failing, look at the cause and at the database.",
  },
  RUN_CANCELLED: {
    when: "the run was cancelled while this work was under way",
    next: "Resume the run explicitly if it should continue.",
    retryable: false,
    httpStatus: 409,
  },
  RUN_HIJACKED: {
    when: "a person took over an agent session of this run",
    next: "Finish or leave the session, then resume the run.",
    retryable: false,
    httpStatus: 409,
  },
  HIJACK_TIMEOUT: {
    when: "an agent did not hand its session over in time",
    next: "Ask again: it hands the session over as soon as it has one. Check that a process drives the run (`treadle why`).",
    httpStatus: 409,
  },
  CONTINUATION_STATE_TOO_LARGE: {
    when: "the state handed to continue-as-new is larger than 10 MB of JSON",
    next: "Keep large values in outputs or files and carry only references to them.",
    retryable: false,
  },
  INVALID_CONTINUATION_STATE: {
    when: "the state handed to continue-as-new holds something that JSON would lose, such as a function, a `Map` or `NaN`, or the stored state cannot be read",
    next: "Carry plain JSON values only: text, finite numbers, booleans, null, lists and plain objects of them.",
    retryable: false,
  },
  SCHEDULER_ERROR: {
    when: "tasks remain that can never run, for instance because a dependency is not in the plan",
    next: "Correct what the message names: an id in `dependsOn`, `needs` or `deps`, a task that is missing, or a loop that would continue for ever.",
    retryable: false,
  },
  SESSION_ERROR: {
    when: "the frame loop of a run stopped on a failure that no component handles",
    next: "Read the cause, fix it, then resume the run.",
    retryable: false,
  },
  WORKFLOW_EXECUTION_FAILED: {
    when: "a run, or the child run of a subflow, ended as failed without a more precise error",
    next: "Ask why it stopped (`treadle why <runId>`), fix that, then resume it.",
  },
  WORKFLOW_RENDER_FAILED: {
    when: "the workflow's build function or one of its components threw while a frame was rendered",
    next: "Fix the exception in the cause; rendering must be pure and accept missing outputs.",
    retryable: false,
  },
  INTERNAL_ERROR: {
    when: "something failed that no other code describes",
    next: "Read the cause; if it points into the library, please report it with the run's events.",
  },
} as const satisfies ErrorFamily;
