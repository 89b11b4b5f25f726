import { z } from "zod";
import * as agents from "../../src/agents/index.js";
import * as api from "../../src/index.js";
import { testWorkflow } from "../../src/testing/index.js";
import { Gateway } from "../../src/hosts/gateway/index.js";
import * as tools from "../../src/tools/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { output: z.object({ ok: z.boolean() }) };

function workflow() {
  const { Workflow, Task, outputs, service } = openScene(schemas).api;
  return service(() => (
    <Workflow name="options">
      <Task id="a" output={outputs.output}>
        {{ ok: true }}
      </Task>
    </Workflow>
  ));
}

/** A function with options, as plain JavaScript may call it. */
export interface Case {
  /** What an operation needs besides. */
  readonly valid?: object;
  /** An option of the function, and a value that it cannot have. */
  readonly wrong: readonly [name: string, value: unknown];
  /** A misspelt option and the one that is meant. */
  readonly typo: readonly [written: string, meant: string];
  /** @default INVALID_INPUT */
  readonly code?: string;
  call(options: never): unknown;
}

const at = { runId: "run", nodeId: "a" };
const spec = { openapi: "3.0.0", info: { title: "t", version: "1" }, paths: {} };
const echo = { name: "echo", schema: z.object({}), execute: () => "" };
const isCliAgent = (value: unknown) =>
  typeof value === "function" && value.prototype instanceof agents.BaseCliAgent;
const CLI_CLASSES = Object.entries(agents).filter(([, value]) => isCliAgent(value)) as unknown as [
  name: string,
  agentClass: new (options: never) => unknown,
][];

const { resolveServiceObservabilityOptions, createServiceObservabilityLayer } = api;
const { createServiceRuntimeLayer, createServiceOtelLayer } = api;
const OF_OBSERVABILITY = {
  resolveServiceObservabilityOptions,
  createServiceObservabilityLayer,
  createServiceRuntimeLayer,
  createServiceOtelLayer,
};
export const CASES: Readonly<Record<string, Case>> = {
  runWorkflow: {
    valid: { input: {} },
    wrong: ["maxConcurrency", "4"],
    typo: ["maxConcurency", "maxConcurrency"],
    call: (options) => api.runWorkflow(workflow(), options),
  },
  "runWorkflow that resumes": {
    valid: { runId: "run", resume: true },
    wrong: ["acceptWorkflowChange", "yes"],
    typo: ["acceptWorkflowChanges", "acceptWorkflowChange"],
    call: (options) => api.runWorkflow(workflow(), options),
  },
  renderFrame: {
    wrong: ["input", "{}"],
    typo: ["inputs", "input"],
    call: (options) => api.renderFrame(workflow(), options),
  },
  superviseRuns: {
    valid: { signal: AbortSignal.abort() },
    wrong: ["intervalMs", 0],
    typo: ["intervalMS", "intervalMs"],
    call: (options) => api.superviseRuns({ options: workflow() }, options),
  },
  runWorker: {
    valid: { signal: AbortSignal.abort() },
    wrong: ["concurrency", 0],
    typo: ["concurency", "concurrency"],
    call: (options) => api.runWorker({ options: workflow() }, options),
  },
  cancelRun: {
    valid: { runId: "run" },
    wrong: ["reason", 1],
    typo: ["reasons", "reason"],
    call: (options) => api.cancelRun(workflow(), options),
  },
  retryTask: {
    valid: at,
    wrong: ["resetDependents", "no"],
    typo: ["resetDependants", "resetDependents"],
    call: (options) => api.retryTask(workflow(), options),
  },
  completeTask: {
    valid: { ...at, output: {} },
    wrong: ["output", "{}"],
    typo: ["completedby", "completedBy"],
    call: (options) => api.completeTask(workflow(), options),
  },
  skipTask: {
    valid: at,
    wrong: ["note", 1],
    typo: ["skippedby", "skippedBy"],
    call: (options) => api.skipTask(workflow(), options),
  },
  diffNode: {
    valid: { runId: "run", nodeId: "task" },
    wrong: ["attempt", 0],
    typo: ["iteratio", "iteration"],
    call: (options) => api.diffNode(workflow(), options),
  },
  forkRun: {
    valid: { runId: "run" },
    wrong: ["frameNo", -1],
    typo: ["resetNode", "resetNodes"],
    call: (options) => api.forkRun(workflow(), options),
  },
  replayRun: {
    valid: { runId: "run" },
    wrong: ["acceptEffects", "yes"],
    typo: ["onProgres", "onProgress"],
    call: (options) => api.replayRun(workflow(), options),
  },
  rewindRun: {
    valid: { runId: "run", frameNo: 1 },
    wrong: ["frameNo", 1.5],
    typo: ["acceptEffect", "acceptEffects"],
    call: (options) => api.rewindRun(workflow(), options),
  },
  pruneRuns: {
    wrong: ["olderThanMs", "30d"],
    typo: ["olderThanMS", "olderThanMs"],
    call: (options) => api.pruneRuns(workflow(), options),
  },
  signalRun: {
    valid: { runId: "run", signal: "go" },
    wrong: ["correlationId", 7],
    typo: ["correlationID", "correlationId"],
    call: (options) => api.signalRun(workflow(), options),
  },
  approveNode: {
    valid: at,
    wrong: ["scopes", "admin"],
    typo: ["scope", "scopes"],
    call: (options) => api.approveNode(workflow(), options),
  },
  denyNode: {
    valid: at,
    wrong: ["iteration", "0"],
    typo: ["iterations", "iteration"],
    call: (options) => api.denyNode(workflow(), options),
  },
  hijackRun: {
    valid: at,
    wrong: ["timeoutMs", -1],
    typo: ["timeoutMS", "timeoutMs"],
    call: (options) => api.hijackRun(workflow(), options),
  },
  releaseHijack: {
    valid: at,
    wrong: ["iteration", 0.5],
    typo: ["nodeID", "nodeId"],
    call: (options) => api.releaseHijack(workflow(), options),
  },
  listRuns: {
    wrong: ["statuses", "failed"],
    typo: ["status", "statuses"],
    call: (options) => api.listRuns(workflow(), options),
  },
  listApprovals: {
    wrong: ["status", "pending"],
    typo: ["nodeID", "nodeId"],
    call: (options) => api.listApprovals(workflow(), options),
  },
  listScores: {
    valid: { runId: "run" },
    wrong: ["state", "done"],
    typo: ["scorer", "scorerId"],
    call: (options) => api.listScores(workflow(), options),
  },
  listMemoryFacts: {
    wrong: ["limit", "ten"],
    typo: ["namespaces", "namespace"],
    call: (options) => api.listMemoryFacts(workflow(), options),
  },
  listEvents: {
    wrong: ["types", ["NodeFinishd"]],
    typo: ["type", "types"],
    call: (options) => api.listEvents(workflow(), "run", options),
  },
  followEvents: {
    valid: { runId: "run" },
    wrong: ["follow", "yes"],
    typo: ["afterSeqs", "afterSeq"],
    async call(options) {
      for await (const _event of api.followEvents(workflow(), options)) break;
    },
  },
  listFrames: {
    wrong: ["limit", 0],
    typo: ["limits", "limit"],
    call: (options) => api.listFrames(workflow(), "run", options),
  },
  getNode: {
    valid: at,
    wrong: ["iteration", -1],
    typo: ["iterations", "iteration"],
    call: (options) => api.getNode(workflow(), options),
  },
  ...Object.fromEntries(
    Object.entries(OF_OBSERVABILITY).map(([name, call]): [string, Case] => [
      name,
      { wrong: ["logFormat", "xml"], typo: ["endPoint", "endpoint"], call },
    ]),
  ),
  createService: {
    wrong: ["synchronous", "off"],
    typo: ["dbpath", "dbPath"],
    call: (options) => api.createService(schemas, options),
  },
  createServicePostgres: {
    wrong: ["poolSize", 0],
    typo: ["connectionstring", "connectionString"],
    call: (options) => api.createServicePostgres(schemas, options),
  },
  "service of createService": {
    wrong: ["cache", "yes"],
    typo: ["alertPolicies", "alertPolicy"],
    call: (options) => openScene(schemas).api.service(() => null, options),
  },
  createExternalService: {
    valid: { schemas, buildFn: () => ({ tag: "Workflow" }) },
    wrong: ["agents", "all"],
    typo: ["agent", "agents"],
    call: (options) => api.createExternalService(options),
  },
  startServer: {
    wrong: ["maxBodyBytes", "1MB"],
    typo: ["authtoken", "authToken"],
    call: (options) => api.startServer(options),
  },
  createServeApp: {
    valid: { runId: "run", abort: new AbortController() },
    wrong: ["metrics", "yes"],
    typo: ["metric", "metrics"],
    call: (options: object) => {
      const served = workflow();
      const own = { workflow: served, adapter: new api.ServiceDb(served.db) };
      return api.createServeApp(
        Object.defineProperties(own, Object.getOwnPropertyDescriptors(options)) as never,
      );
    },
  },
  testWorkflow: {
    wrong: ["clock", Date],
    typo: ["agent", "agents"],
    call: (options) => testWorkflow(workflow(), options),
  },
  createToolContext: {
    wrong: ["toolTimeoutMs", "60s"],
    typo: ["maxOutputByte", "maxOutputBytes"],
    call: (options) => tools.createToolContext(options),
  },
  createTools: {
    wrong: ["allowNetwork", "yes"],
    typo: ["allowNetworks", "allowNetwork"],
    call: (options) => tools.createTools(options),
  },
  defineTool: {
    valid: echo,
    wrong: ["sideEffect", "yes"],
    typo: ["sideEffects", "sideEffect"],
    call: (options) => tools.defineTool(options),
  },
  createHttpTool: {
    wrong: ["allowedOrigins", "https://api.example.com"],
    typo: ["allowedOrigin", "allowedOrigins"],
    call: (options) => tools.createHttpTool(options),
  },
  createOpenApiTools: {
    wrong: ["include", "all"],
    typo: ["includes", "include"],
    call: (options) => api.createOpenApiTools(spec, options),
  },
  createOpenApiToolsSync: {
    wrong: ["timeoutMs", "60s"],
    typo: ["timeoutMS", "timeoutMs"],
    call: (options) => api.createOpenApiToolsSync(spec, options),
  },
  createOpenApiTool: {
    wrong: ["headers", "Accept: text/plain"],
    typo: ["header", "headers"],
    call: (options) => api.createOpenApiTool(spec, "get", options),
  },
  createOpenApiToolSync: {
    wrong: ["baseUrl", 1],
    typo: ["baseURL", "baseUrl"],
    call: (options) => api.createOpenApiToolSync(spec, "get", options),
  },
  ...Object.fromEntries(
    CLI_CLASSES.map(([name, agentClass]): [string, Case] => [
      name,
      {
        wrong: ["idleTimeoutMs", "5m"],
        typo: ["idleTimeoutMS", "idleTimeoutMs"],
        code: "AGENT_CONFIG_INVALID",
        call: (options) => new agentClass(options),
      },
    ]),
  ),
  Gateway: {
    wrong: ["heartbeatMs", "15s"],
    typo: ["maxConnection", "maxConnections"],
    call: (options) => new Gateway(options),
  },
  "Gateway (defaults)": {
    wrong: ["cliAgentTools", "none"],
    typo: ["cliAgentTool", "cliAgentTools"],
    call: (defaults) => new Gateway({ defaults }),
  },
  "Gateway (auth)": {
    valid: { mode: "token", tokens: {} },
    wrong: ["allowedOrigins", "https://app.example.com"],
    typo: ["allowedOrigin", "allowedOrigins"],
    call: (auth) => new Gateway({ auth }),
  },
  "Gateway (auth, jwt)": {
    valid: { mode: "jwt", issuer: "i", audience: "a", secret: "s".repeat(32) },
    wrong: ["audience", []],
    typo: ["scopeClaim", "scopesClaim"],
    call: (auth) => new Gateway({ auth }),
  },
  "Gateway (auth, trusted-proxy)": {
    valid: { mode: "trusted-proxy" },
    wrong: ["trustedHeaders", ["x user"]],
    typo: ["trustedHeader", "trustedHeaders"],
    call: (auth) => new Gateway({ auth }),
  },
  "Gateway (auth, a grant)": {
    valid: { role: "r", scopes: [] },
    wrong: ["expiresAtMs", "tomorrow"],
    typo: ["expireAtMs", "expiresAtMs"],
    call: (grant) => new Gateway({ auth: { mode: "token", tokens: { secret: grant } } }),
  },
  "Gateway.register": {
    wrong: ["schedule", 5],
    typo: ["schedul", "schedule"],
    call: (options) => new Gateway().register("key", workflow(), options),
  },
  "Gateway.register (webhook)": {
    valid: { secret: "s", run: { enabled: true } },
    wrong: ["signaturePrefix", 5],
    typo: ["secrets", "secret"],
    call: (webhook) => new Gateway().register("key", workflow(), { webhook }),
  },
  "Gateway.register (ui)": {
    valid: { entry: "app.tsx" },
    wrong: ["title", 5],
    typo: ["titel", "title"],
    call: (ui) => new Gateway().register("key", workflow(), { ui }),
  },
  "Gateway.extend": {
    wrong: ["queries", []],
    typo: ["querys", "queries"],
    call: (definition) => new Gateway().extend("own", definition),
  },
  "Gateway.listen": {
    wrong: ["port", "7331"],
    typo: ["ports", "port"],
    call: (options) => new Gateway().listen(options),
  },
  DemoAgent: {
    wrong: ["script", "hello"],
    typo: ["scripts", "script"],
    code: "AGENT_CONFIG_INVALID",
    call: (options) => agents.createDemoAgent(options),
  },
  AnthropicAgent: {
    valid: { model: "m" },
    wrong: ["model", 5],
    typo: ["maxOutputToken", "maxOutputTokens"],
    code: "AGENT_CONFIG_INVALID",
    call: (options) => new agents.AnthropicAgent(options),
  },
  OpenAIAgent: {
    valid: { model: "m" },
    wrong: ["model", ""],
    typo: ["temprature", "temperature"],
    code: "AGENT_CONFIG_INVALID",
    call: (options) => new agents.OpenAIAgent(options),
  },
  CompatAgent: {
    valid: { baseURL: "http://127.0.0.1:1" },
    wrong: ["model", 5],
    typo: ["stopwhen", "stopWhen"],
    code: "AGENT_CONFIG_INVALID",
    call: (options) => new agents.CompatAgent(options),
  },
};
