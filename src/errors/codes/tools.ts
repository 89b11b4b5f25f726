import type { ErrorFamily } from "../code-entry.js";

/** Tools for agents, child processes, version control, sandboxes, OpenAPI. */
export const toolCodes = {
  TOOL_PATH_INVALID: {
    when: "a tool is given a path that is empty, of the wrong kind, or does not exist",
    next: "Pass the path of an existing file, relative to the root folder.",
    retryable: false,
    httpStatus: 400,
  },
  TOOL_PATH_ESCAPE: {
    when: "a tool's path leads out of the root folder, directly or through a symbolic link",
    next: "Use a path inside the root folder, or start the run with a wider `rootDir`.",
    retryable: false,
    httpStatus: 400,
  },
  TOOL_FILE_TOO_LARGE: {
    when: "a tool is asked to read a file above the size limit",
    next: "Read a part of the file, or search it with `grep`.",
    retryable: false,
  },
  TOOL_CONTENT_TOO_LARGE: {
    when: "a tool is asked to write more than the size limit",
    next: "Write the content in smaller parts.",
    retryable: false,
  },
  TOOL_PATCH_TOO_LARGE: {
    when: "a patch for `edit` is above the size limit",
    next: "Split the patch into smaller ones.",
    retryable: false,
  },
  TOOL_PATCH_FAILED: {
    when: "a patch for `edit` does not apply to the file",
    next: "Read the file again and make the patch from its present content.",
    retryable: false,
  },
  TOOL_NETWORK_DISABLED: {
    when: "`bash` would reach the network, or this host cannot cut it off, and `allowNetwork` is off",
    next: "Work without the network, install bubblewrap on the host, or set `allowNetwork: true`.",
    retryable: false,
  },
  TOOL_PATH_PROTECTED: {
    when: "a file tool would change `.git`, `node_modules` or a module of the running workflow, or touch the engine's own state",
    next: "Leave it alone; the person who starts the run can list the path in `writable`.",
    retryable: false,
  },
  TOOL_ISOLATION_UNAVAILABLE: {
    when: "this host can neither confine a command of `bash` nor keep the database from a command-line agent, and the run does not allow it to work without that",
    next: 'Install bubblewrap and permit user namespaces, or say `toolIsolation: "none"` (`treadle up --allow-network --tool-isolation none`): commands and agents then have all rights of the user.',
    retryable: false,
  },
  TOOL_GIT_REMOTE_DISABLED: {
    when: "`bash` would run a git command that talks to a remote, and `allowNetwork` is off",
    next: "Use local git commands only, or set `allowNetwork: true`.",
    retryable: false,
  },
  TOOL_COMMAND_FAILED: {
    when: "a command run by `bash` ends with an error",
    next: "Read its output in `details.output` and correct the command.",
  },
  TOOL_GREP_FAILED: {
    when: "a search cannot be carried out, for instance because its pattern is not valid",
    next: "Correct the pattern or the path.",
    retryable: false,
  },
  TOOL_TIMEOUT: {
    when: "a tool call takes longer than `toolTimeoutMs`",
    next: "Raise `toolTimeoutMs`, or ask for less in one call.",
  },
  TOOL_HTTP_FAILED: {
    when: "the HTTP tool gets no answer: the host cannot be reached, or the connection breaks",
    next: "Check the address and whether the host can be reached from here.",
  },
  TOOL_ADDRESS_REFUSED: {
    when: "the HTTP tool would reach an address that is closed to it, such as the metadata service of a cloud machine",
    next: "If the address is meant, pass `denyPrivate: false` to `createHttpTool`.",
    retryable: false,
  },
  PROCESS_SPAWN_FAILED: {
    when: "a child process cannot be started",
    next: "Install the command named in `details.command`, or correct the path and the working folder.",
    retryable: false,
  },
  PROCESS_ABORTED: {
    when: "a child process is stopped because its task was aborted or this process shuts down",
    next: "Look at the task: it was cancelled, stopped (then resume the run), or reached a time limit.",
    retryable: false,
  },
  PROCESS_TIMEOUT: {
    when: "a child process runs longer than its time limit",
    next: "Raise the time limit, or give the process less to do.",
  },
  PROCESS_IDLE_TIMEOUT: {
    when: "a child process prints nothing for longer than its idle limit",
    next: "Raise the idle limit, or check whether the process waits for input.",
  },
  VCS_NOT_FOUND: {
    when: "the root folder is not inside a git or jj repository",
    next: "Run inside a repository, or create one with `git init`.",
    retryable: false,
    httpStatus: 404,
  },
  VCS_WORKSPACE_CREATE_FAILED: {
    when: "the repository state of a frame cannot be checked out into a workspace",
    next: "Read what the command said, in the message; check that the commit still exists and the target folder is free.",
    retryable: false,
  },
  WORKTREE_CREATE_FAILED: {
    when: "git or jj refuses to create a worktree",
    next: "Read what the command said, in the message; often the branch is checked out elsewhere or the folder is not empty.",
  },
  SANDBOX_EXECUTION_FAILED: {
    when: "the workflow inside a sandbox fails, or the sandbox itself breaks down",
    next: "Read the cause and the sandbox's log, and check that its runtime works on this host.",
  },
  SANDBOX_BUNDLE_INVALID: {
    when: "a sandbox returns a bundle that lacks files, has wrong ones, or points outside its folder, or a patch that does not fit the files any more",
    next: "Look at what the message names: run the sandbox again on the files as they are now, or make the provider write a bundle of the documented form.",
    retryable: false,
  },
  SANDBOX_BUNDLE_TOO_LARGE: {
    when: "the bundle of a sandbox is above the size limit",
    next: "Return fewer or smaller files from the sandbox.",
    retryable: false,
  },
  OPENAPI_SPEC_LOAD_FAILED: {
    when: "an OpenAPI document cannot be read, or is not version 3",
    next: "Check the path or address, and convert a Swagger 2 document to OpenAPI 3.",
    retryable: false,
  },
  OPENAPI_OPERATION_NOT_FOUND: {
    when: "the OpenAPI document has no operation with this id",
    next: "Use one of the ids listed in `details.operationIds`.",
    retryable: false,
    httpStatus: 404,
  },
  OPENAPI_TOOL_EXECUTION_FAILED: {
    when: "a call to an API described by OpenAPI fails",
    next: "Check the arguments, the credentials and whether the API can be reached.",
  },
} as const satisfies ErrorFamily;
