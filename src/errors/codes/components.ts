import type { ErrorFamily } from "../code-entry.js";

/** Writing and loading a workflow: its tree, its module, its schema. */
export const componentCodes = {
  TASK_ID_REQUIRED: {
    when: "a task has no `id`, or an empty one",
    next: "Give the task an `id` that stays the same from frame to frame.",
    retryable: false,
  },
  TASK_MISSING_OUTPUT: {
    when: "a task has no `output`",
    next: "Set `output` to one of the workflow's outputs, for instance `outputs.<key>`.",
    retryable: false,
  },
  WORKFLOW_TREE_INVALID: {
    when: "the rendered tree is not a workflow: an element or text stands where it has no meaning",
    next: "Return one `Workflow` element, put tasks inside it, and text and markup inside tasks.",
    retryable: false,
  },
  TREE_TOO_DEEP: {
    when: "more elements stand within one another than a tree may have levels",
    next: "Mount them side by side, and look for a component that mounts itself without an end; for steps after one another use one `Sequence` or a `Loop`.",
    retryable: false,
  },
  REACT_UNSUPPORTED: {
    when: "the installed React is not one that the library can render with, or a workflow uses a second copy of React",
    next: "Install one `react` in the range that treadle's `peerDependencies` name; `npm ls react` shows every copy.",
    retryable: false,
  },
  DUPLICATE_ID: {
    when: "an id appears twice in one frame",
    next: "Rename one of them; inside a list, build the id from the item's key.",
    retryable: false,
  },
  LIMIT_UNKNOWN: {
    when: "a task, or an agent of it, names a limit that the workflow's `createService` does not declare",
    next: "Declare it: `createService(schemas, { limits: { name: { concurrency: 2 } } })`; or correct the name.",
    retryable: false,
  },
  NESTED_LOOP: {
    when: "a `Loop` is the direct child of another `Loop`",
    next: "Put a `Sequence` between the two loops, or merge them.",
    retryable: false,
  },
  WORKTREE_EMPTY_PATH: {
    when: "a `Worktree` has no path, or an empty one",
    next: "Set `path` to a folder relative to the run's root.",
    retryable: false,
  },
  MDX_PRELOAD_INACTIVE: {
    when: "a prompt is an object that cannot be rendered to text, or a component is a text, such as an MDX module that was not compiled",
    next: 'Pass text or an element. To have `.mdx` files that a workflow imports be components, install `@mdx-js/mdx` in the project (docs/components/task.md, "Prompts in files").',
    retryable: false,
  },
  CONTEXT_OUTSIDE_WORKFLOW: {
    when: "the workflow context is read by a component that is not inside a `Workflow`, or while nothing is rendered, as in a task's function",
    next: "Call it in a component inside the tree that the build function returns, and hand the value on from there.",
    retryable: false,
  },
  APPROVAL_OUTSIDE_TASK: {
    when: "an approval is asked for where no task is running",
    next: "Ask inside a task's function, or mount an `Approval` component.",
    retryable: false,
  },
  APPROVAL_OUTPUT_MISFIT: {
    when: "the output of an `Approval` cannot hold the row that a decision becomes",
    next: "Use `approvalDecision`, `approvalSelection` or `approvalRanking` as the schema of its mode, or a part of it; keep anything else in the row of a task after it.",
    retryable: false,
  },
  APPROVAL_OPTIONS_REQUIRED: {
    when: "an approval of mode `select` or `rank` has no options",
    next: "Give it at least one entry in `options`.",
    retryable: false,
  },
  SCHEMA_INCOMPATIBLE: {
    when: "a schema given to `createService` uses a type or a field name that cannot be stored",
    next: "Change the field named in the message: use a storable type, and no reserved column name.",
    retryable: false,
  },
  WORKFLOW_MISSING_DEFAULT: {
    when: "a workflow module has no default export",
    next: "Write `export default service(build)` in that file.",
    retryable: false,
    httpStatus: 400,
  },
  WORKFLOW_NOT_BUILT: {
    when: "a workflow module's default export is not a workflow",
    next: "Export what `service(build)` returns, not the build function or the result of `createService`.",
    retryable: false,
    httpStatus: 400,
  },
  WORKFLOW_LOAD_FAILED: {
    when: "a workflow module cannot be compiled or throws while it is imported",
    next: "Fix the compile or import error in the cause.",
    retryable: false,
    httpStatus: 400,
  },
  WORKFLOW_LOAD_UNFINISHED: {
    when: "a workflow module does not come to its end while it is imported, or not within ten seconds, which is only a notice at first: a top-level `await` has not settled",
    next: "Look for a top-level `await` in the file and in the files that it imports. Give what it waits for a time limit, or move it into a task's function.",
    retryable: false,
    httpStatus: 400,
  },
  EXTERNAL_BUILD_FAILED: {
    when: "the process that builds an external workflow fails or prints no valid tree",
    next: "Run the build function, or the script behind it, by hand with the same context, and correct the tree that it makes.",
  },
  SCHEMA_DISCOVERY_FAILED: {
    when: "the schemas of an external workflow cannot be read",
    next: "Make the workflow's script print its schemas, or pass them to `createExternalService`.",
    retryable: false,
  },
} as const satisfies ErrorFamily;
