import type { ErrorFamily } from "../code-entry.js";

/** HTTP and WebSocket hosts, their clients, the command line, hot reload. */
export const hostCodes = {
  OPTIONAL_PACKAGE_MISSING: {
    when: "something is used that is made of an optional package, and the package is not installed",
    next: "Install the package that the message names, in the version that it names.",
    retryable: false,
  },
  PACKAGE_MISSING: {
    when: "a package that the library cannot do without is not installed, such as its peers `react` and `zod`",
    next: "Install it beside treadle, in the range that treadle's `package.json` names: `npm i react zod` brings its peers.",
    retryable: false,
  },
  INVALID_JSON: {
    when: "a request body is not valid JSON",
    next: "Send a JSON body with `Content-Type: application/json`.",
    retryable: false,
    httpStatus: 400,
  },
  PAYLOAD_TOO_LARGE: {
    when: "a request body is larger than `maxBodyBytes` or has too many members, or what is asked for is more than a host sends in one answer",
    next: "Send less, or raise `maxBodyBytes` on the host; read what is too large for an answer on the host's machine, with the command line.",
    retryable: false,
    httpStatus: 413,
  },
  UNAUTHORIZED: {
    when: "a request has no credentials, or ones that are wrong, expired or revoked",
    next: "Send a valid token in the `Authorization` or `x-service-key` header (of a command: `--token`, or `SERVICE_GATEWAY_TOKEN`); behind a proxy that says who calls, come through it, as a user of its own.",
    retryable: false,
    httpStatus: 401,
  },
  FORBIDDEN: {
    when: "the caller is known but lacks the scope or role, or comes from an origin that is not allowed",
    next: "Use credentials that have what the message names; decide as a user (`decidedBy`, `--by`) or with a scope (`scopes`, `--scope`) of the request; of a gateway with `auth`, add the origin to its `allowedOrigins`; without credentials, ask from the host's own machine.",
    retryable: false,
    httpStatus: 403,
  },
  RATE_LIMITED: {
    when: "a caller sends more requests than the host allows",
    next: "Wait until earlier requests are answered, a second at least, then try again.",
    httpStatus: 429,
  },
  CAPACITY_EXCEEDED: {
    when: "the host already holds as many connections or runs as it is configured for",
    next: "Try again later, or raise the host's limit.",
    httpStatus: 503,
  },
  ROUTE_NOT_FOUND: {
    when: "the host has no such path or method",
    next: "Check the address and the HTTP method.",
    retryable: false,
    httpStatus: 404,
  },
  VERB_NOT_ALLOWED: {
    when: "the host has this path, for other HTTP methods",
    next: "Use one of the methods that the header `Allow` of the answer lists.",
    retryable: false,
    httpStatus: 405,
  },
  UNSUPPORTED_ENCODING: {
    when: "a request body is compressed, or in another charset than UTF-8",
    next: "Send the body as it is, in UTF-8.",
    retryable: false,
    httpStatus: 415,
  },
  METHOD_NOT_FOUND: {
    when: "the gateway has no RPC method of this name",
    next: "Check the name, and that the extension which provides it is registered.",
    retryable: false,
    httpStatus: 404,
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: "a run is launched with the idempotency key of another launch, and with other params",
    next: "Use a key of its own for each launch, or repeat the first one exactly; `details.runId` is its run.",
    retryable: false,
    httpStatus: 409,
  },
  PROTOCOL_MISMATCH: {
    when: "client and gateway speak no common version of the protocol, or a frame breaks it",
    next: "Bring client and gateway to versions that share a protocol number.",
    retryable: false,
    httpStatus: 400,
  },
  CLIENT_CONNECTION_FAILED: {
    when: "a client of `treadle/client` cannot reach its gateway",
    next: "Check that the gateway runs, and the address that the client was given.",
  },
  CLIENT_NOT_A_GATEWAY: {
    when: "what answers a client of `treadle/client` is no gateway",
    next: "Check the address that the client was given, and what a proxy in front answers by itself.",
  },
  CLIENT_TIMEOUT: {
    when: "a gateway has not answered a client's call within its `timeoutMs`",
    next: "Look whether it was carried out before you call again, or allow more time.",
  },
  CLIENT_TOKEN_FAILED: {
    when: "the function that gives a client of `treadle/client` its token fails",
    next: "Look at the cause of the error: the gateway was not asked.",
  },
  CLIENT_CLOSED: {
    when: "a client of `treadle/client` is used after its `close`",
    next: "Make another client.",
    retryable: false,
    httpStatus: 400,
  },
  CLIENT_WEBSOCKET_MISSING: {
    when: "a client streams events where there is no WebSocket",
    next: "Pass one: `createClient({ WebSocket })`, such as that of the package `ws`.",
    retryable: false,
    httpStatus: 400,
  },
  CLIENT_EVENT_GAP: {
    when: "a gateway can no longer replay some of the events that a client has missed",
    next: "Pass `onGap` to continue after them, or read the run's state anew.",
    retryable: false,
  },
  CLIENT_STREAM_LOST: {
    when: "the stream of a gateway's extension breaks off, or its reader falls behind by too many items",
    next: "Open it again: its items have no numbers, so it cannot continue where it was.",
  },
  UI_BUNDLE_FAILED: {
    when: "a page of a gateway cannot be bundled",
    next: "Correct the file that the message names, and load the page again.",
    retryable: false,
    httpStatus: 500,
  },
  WORKFLOW_PATH_OUTSIDE_ROOT: {
    when: "a workflow path leads out of the host's `rootDir`",
    next: "Use a path inside `rootDir`.",
    retryable: false,
    httpStatus: 400,
  },
  WORKFLOW_NOT_FOUND: {
    when: "no workflow is registered under this key, or no file is at this path",
    next: "List the workflows and use one of their keys, or correct the path.",
    retryable: false,
    httpStatus: 404,
  },
  WORKFLOW_EXISTS: {
    when: "a workflow of this name is already there",
    next: "Choose another name, or remove the existing workflow first.",
    retryable: false,
    httpStatus: 409,
  },
  CRON_NOT_FOUND: {
    when: "no schedule has this id",
    next: "List the schedules and use one of their ids.",
    retryable: false,
    httpStatus: 404,
  },
  CRON_EXISTS: {
    when: "a new schedule is given the id of another one",
    next: "Choose another id, leave it out for a random one, or change the schedule that there is.",
    retryable: false,
    httpStatus: 409,
  },
  WEBHOOK_NOT_FOUND: {
    when: "no workflow receives webhooks under this key",
    next: "Check the key in the address, and that the workflow is registered with a webhook.",
    retryable: false,
    httpStatus: 404,
  },
  WEBHOOK_SIGNATURE_INVALID: {
    when: "a delivery to a webhook has no signature or a wrong one, or no workflow receives webhooks under its key",
    next: "Check the key in the address, and sign the bytes of the body with the webhook's `secret`: their HMAC-SHA-256 as hex digits, in its `signatureHeader` and behind its `signaturePrefix`.",
    retryable: false,
    httpStatus: 401,
  },
  WEBHOOK_REPLAYED: {
    when: "a delivery to a webhook comes again more than a day after it was made",
    next: "If it is meant as a new one, send it under a new delivery id, or with something in the body that tells it from the first.",
    retryable: false,
    httpStatus: 409,
  },
  DB_NOT_CONFIGURED: {
    when: "a request needs a database across runs, and the host was started without one",
    next: "Pass `db` when you start the host.",
    retryable: false,
    httpStatus: 400,
  },
  ALREADY_DECIDED: {
    when: "an approval is decided a second time",
    next: "Read the first decision in `details.decision`; it stands.",
    retryable: false,
    httpStatus: 409,
  },
  REQUEST_CHANGED: {
    when: "a decision is about another question than the one that the node asks now",
    next: "Read both in `details.shown` and `details.asked`, and decide what is asked now: `treadle approve <runId> <nodeId>` shows it.",
    retryable: false,
    httpStatus: 409,
  },
  NODE_NOT_WAITING: {
    when: "a decision or signal is sent to a node that does not wait for one",
    next: "Read the node's state and iteration; list what waits with `treadle why <runId>`.",
    retryable: false,
    httpStatus: 409,
  },
  SERVER_INSECURE_BIND: {
    when: "a host should listen beyond this machine without a token",
    next: "Set a token (of a gateway: `auth`), or keep the default address 127.0.0.1; `startServer` also takes `insecure: true`, for a proxy that guards it.",
    retryable: false,
  },
  ADDRESS_IN_USE: {
    when: "a gateway should listen where something listens already, or at a path with a file that is no socket",
    next: "Choose another port or path, or end what listens there.",
    retryable: false,
  },
  GATEWAY_LISTENS: {
    when: "a gateway that listens is asked to listen again, or is given another workflow or extension",
    next: "Register everything first, then call `listen` once.",
    retryable: false,
  },
  GATEWAY_CLOSED: {
    when: "a gateway is used after it was closed",
    next: "Make a new one: its runs are all in their databases.",
    retryable: false,
  },
  ENGINE_HTTP_ERROR: {
    when: "a client's request to a host is answered with an error that carries no code of its own",
    next: "Check the address and that the host is up; `details.status` has the HTTP status.",
  },
  TASK_MAY_NOT_DECIDE: {
    when: "a command that changes runs is called from inside a task, by an agent or a tool",
    next: "Let a person call it, in a shell of their own. A task ends waits of its own run by what it returns.",
    retryable: false,
    httpStatus: 403,
  },
  CLI_DB_NOT_FOUND: {
    when: "no parent folder holds a `service.db` or a `.service` folder",
    next: "Change into the workspace, or name the database with `--db`.",
    retryable: false,
    httpStatus: 404,
  },
  CLI_USAGE: {
    when: "a command of the command line is used wrongly",
    next: "Run the command with `--help`.",
    retryable: false,
  },
  PROJECT_FILES_EXIST: {
    when: "`treadle init` would write files that are there already; nothing is written",
    next: "Name another folder (`treadle init demo`), or let them be replaced with `--force`.",
    retryable: false,
    httpStatus: 409,
  },
  PROJECT_NOT_WRITABLE: {
    when: "`treadle init` cannot make the folder of the new project, or write a file into it",
    next: "Check the rights of the folder and what is in the place of the file.",
    retryable: false,
  },
  CLI_AGENT_UNSUPPORTED: {
    when: "a command does not support the agent it is asked to use",
    next: "Choose one of the agents listed in `details.supported`.",
    retryable: false,
  },
  INVALID_EVENTS_OPTIONS: {
    when: "the filters of an event listing contradict each other or have a wrong form",
    next: "Correct the option named in the message.",
    retryable: false,
    httpStatus: 400,
  },
  SCHEMA_CHANGE_HOT: {
    when: "saved code would change a table, a validation, a limit or the database of a run that continues with hot reload",
    next: "Undo the change, or stop the process and resume the run with the new code (`--accept-workflow-change`), or start a new run.",
    retryable: false,
  },
  HOT_OVERLAY_FAILED: {
    when: "the folder for the generations of hot reload (`outDir`) cannot be made or written",
    next: "Make the folder writable or name another `outDir`; a run that continues keeps the code that it has.",
    retryable: false,
  },
  HOT_RELOAD_INVALID_MODULE: {
    when: "saved code no longer exports a workflow by default",
    next: "Export the workflow by default again; the run continues with the code that it has.",
    retryable: false,
  },
} as const satisfies ErrorFamily;
