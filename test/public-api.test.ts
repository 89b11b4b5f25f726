import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// A change here is a change of the public interface: intended names are taken over with `vitest -u`.

const root = fileURLToPath(new URL("..", import.meta.url));

interface Manifest {
  exports: Record<string, string | { types: string; default: string }>;
}

const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;

/** `./agents` to `src/agents/index.ts`: the source that its build comes from. */
function sourceOf(subpath: string): string {
  const target = exports[subpath];
  if (typeof target !== "object") return "";
  return target.default.replace("./dist/", "").replace(/\.js$/, ".ts");
}

/** What a module offers at run time, and the types that its source names: one sorted line. */
async function namesOf(subpath: string): Promise<string> {
  const source = readFileSync(`${root}${sourceOf(subpath)}`, "utf8");
  const values = Object.keys((await import(/* @vite-ignore */ `../${sourceOf(subpath)}`)) as object);
  const lists = [...source.matchAll(/^export (type )?\{([^}]*)\}/gms)];
  const types = lists.flatMap(([, isTypeList, list = ""]) =>
    list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "" && (isTypeList !== undefined || entry.startsWith("type ")))
      .map((entry) => entry.replace(/^type /, "").replace(/^.* as /, "")),
  );
  return [
    `values: ${values.toSorted().join(" ")}`,
    ...(types.length === 0 ? [] : [`types: ${types.toSorted().join(" ")}`]),
  ].join("\n");
}

describe("the package", () => {
  it("offers these subpaths", () => {
    expect(Object.keys(exports).join(" ")).toMatchInlineSnapshot(
      `". ./agents ./client ./gateway ./memory ./observability ./openapi ./react ./scorers ./serve ./server ./testing ./tools ./jsx-runtime ./jsx-dev-runtime ./package.json"`,
    );
  });

  it("offers these names from its root", async () => {
    expect(await namesOf(".")).toMatchInlineSnapshot(`
      "values: AmpAgent AnthropicAgent AntigravityAgent Approval ApprovalGate Aspects Branch CheckSuite ClassifyAndRoute ClaudeCodeAgent CliAgent1 CliAgent10 CliAgent2 CliAgent3 CliAgent4 CliAgent5 CliAgent6 CliAgent7 CliAgent8 CliAgent9 CodexAgent CompatAgent ContentPipeline ContinueAsNew Debate DecisionTable DriftDetector EscalationChain ForgeAgent Gateway GatherAndSynthesize GeminiAgent HumanTask Kanban KimiAgent Loop MergeQueue OpenAIAgent OpenCodeAgent Optimizer Panel Parallel PiAgent Poller ProviderAgentA ProviderAgentB Ralph ReviewLoop Runbook Saga SagaStep Sandbox ScanFixVerify Sequence ServiceDb ServiceError ServiceObservability Sidecar Signal Subflow SuperService Supervisor Task Timer TryCatchFinally VibeAgent WaitForEvent Workflow Worktree approvalDecision approvalRanking approvalSelection approveNode bash cancelRun completeTask continueAsNew createExternalService createHttpTool createOpenApiTool createOpenApiToolSync createOpenApiTools createOpenApiToolsSync createServeApp createService createServiceObservabilityLayer createServiceOtelLayer createServicePostgres createServiceRuntimeLayer defineTool denyNode diffNode edit explainRun followEvents forkRun getFrame getNode getRun getTaskRuntime grep hashCapabilityRegistry hijackRun listApprovals listEvents listFrames listMemoryFacts listNodes listOperations listRuns listScores listWorkers prometheusContentType pruneRuns read registerSandboxProvider releaseHijack remedyOf renderFrame renderPrometheusMetrics replayRun resolveServiceObservabilityOptions retryTask rewindRun runWorker runWorkflow serviceMetrics signalRun skipTask startServer superviseRuns trackServiceEvent useCtx write
      types: AgentCapabilityRegistry AgentCliEvent AgentGenerateOptions AgentInput AgentLike AggregateOptions AggregateScore Alert AlertCondition AlertHandler AlertPolicy AlertReaction AlertRule ApprovalComponent ApprovalDecision ApprovalGateComponent ApprovalGateProps ApprovalOption ApprovalProps ApprovalRequest ApprovalRow AspectsProps AttemptRow AwaitedTask BaseCliAgentOptions Blocker BranchProps CachePolicy CancelRequest CancelResult CheckSuiteComponent CheckSuiteProps ClassifyAndRouteComponent ClassifyAndRouteProps CompleteTaskRequest ContentPipelineComponent ContentPipelineProps ContentStage ContinueAsNewProps CreateScorerConfig CreateServiceOptions CreateServicePostgresOptions DebateComponent DebateProps DecisionRequest DecisionResult DecisionRule DecisionTableProps DiffBundle DiffPatch DriftDetectorComponent DriftDetectorProps DriftPoll DueRun ElementKey EmbeddedWorkflow EscalationChainComponent EscalationChainProps EscalationCheck EscalationLevel ExternalNode ExternalService ExternalServiceOptions ExternalText FollowRequest ForkResult ForkRunOptions GatewayAuthConfig GatewayDefaults GatewayOperatorUiConfig GatewayOptions GatewayRegisterOptions GatewayTokenGrant GatewayUiConfig GatewayWebhookConfig GatewayWebhookRunConfig GatewayWebhookSignalConfig GatherAndSynthesizeComponent GatherAndSynthesizeProps GatherSource GraphSnapshot HijackRequest HijackedSession HotReloadOptions HttpToolInput HttpToolOutput HumanTaskComponent HumanTaskProps InputOf InterventionResult KanbanCard KanbanColumn KanbanComponent KanbanProps KanbanTicket KnownErrorCode LimitHolder LimitUse LlmJudgeConfig LoopProps MemoryFact MemoryFactFilter MemoryFactPage MemoryMessage MemoryNamespace MemoryProcessorConfig MemoryStore MemoryThread MergeQueueProps MessageHistoryConfig NamedLimit NamedLimits NodeDiff NodeDiffRequest NodeRow NodeState NodeView NodeWait ObjectSchema OpenApiAuth OpenApiSpec OpenApiToolsOptions OperationTarget OptimizerComponent OptimizerProps OutputKey OutputRow OutputTable OutputTarget OutputsAccessor PanelComponent PanelProps PanelStrategy PanelTally Panelist ParallelProps PickUpReason PollerComponent PollerProps PruneRequest PruneResult ReachedCap RefusedDecision Remedy RenderFrameOptions ReplayFork ReplayResult ReplayRunOptions RestoredFiles ResultOf ResumeFailure RetryPolicy RetryTaskOptions RetryTaskResult ReviewLoopComponent ReviewLoopProps RewindResult RewindRunOptions RouteCategory RunAuthContext RunDetail RunEvent RunEventType RunExplanation RunList RunListFilter RunOptions RunResult RunRow RunState RunStatus RunView RunbookComponent RunbookProps RunbookStep SagaProps SagaStepProps SampledScore SandboxBundle SandboxComponent SandboxEgress SandboxPort SandboxProps SandboxProvider SandboxRequest SandboxResult SandboxVolume SandboxWorkspace ScanFixVerifyComponent ScanFixVerifyProps SchemaMap ScoreListFilter ScorePage ScoreResult ScoreRow Scorer ScorerBinding ScorerContext ScorerInput ScorerUsage ScorersMap SemanticRecallConfig SequenceProps SerializedContext SerializedError ServeApp ServeOptions ServerOptions ServiceApi ServiceErrorCode ServiceErrorOptions ServiceObservabilityOptions ServicePostgresApi ServiceWorkflow ServiceWorkflowOptions SidecarComponent SidecarDelta SidecarProps SignalComponent SignalProps SignalRequest SignalResult SkipTaskRequest StoredEvent SubflowComponent SubflowProps SuiteCheck SuperServiceComponent SuperServiceProps SuperviseOptions SupervisorComponent SupervisorProps TaskComponent TaskDescriptor TaskMemoryConfig TaskProps TaskRuntime TaskScore TimerProps TokenUsage TryCatchFinallyProps ValueSchema WaitForEventComponent WaitForEventProps WorkerOptions WorkerTask WorkerView WorkflowContext WorkflowDatabase WorkflowElement WorkflowNode WorkflowProps WorkingMemoryConfig WorktreeProps XmlNode"
    `);
  });

  it("offers these names from treadle/agents", async () => {
    expect(await namesOf("./agents")).toMatchInlineSnapshot(`
      "values: AmpAgent AnthropicAgent AntigravityAgent BaseCliAgent CLI_AGENTS CLI_CAPABILITIES ClaudeCodeAgent CliAgent1 CliAgent10 CliAgent2 CliAgent3 CliAgent4 CliAgent5 CliAgent6 CliAgent7 CliAgent8 CliAgent9 CodexAgent CompatAgent DemoAgent ForgeAgent GeminiAgent KimiAgent OpenAIAgent OpenCodeAgent PiAgent ProviderAgentA ProviderAgentB SdkAgent VibeAgent createDemoAgent extractJson generateStructured hashCapabilityRegistry readAgentResult toAgentError
      types: AgentActionKind AgentCall AgentCapabilityRegistry AgentCliEvent AgentDiagnosis AgentEngine AgentErrorContext AgentGenerateOptions AgentInput AgentLike AgentResultReading AgentTaskContext AmpAgentOptions AnthropicAgentOptions AntigravityAgentOptions BaseCliAgentOptions ClaudeCodeAgentOptions CliAgentEntry CliAgentResult CliCall CliEngine CliParser CodexAgentOptions CompatAgentOptions DemoAgentOptions DemoAnswer DemoRequest DemoResult ForgeAgentOptions GeminiAgentOptions GenerateStructuredOptions Invocation JsonLine KimiAgentOptions OpenAIAgentOptions OpenCodeAgentOptions ParserTarget PiAgentOptions PiExtensionUiRequest PiExtensionUiResponse ResumeCommand SchemaTraits SdkAgentOptions SdkAgentResult SdkModel SdkProvider StructuredMode StructuredResult TokenUsage ToolLoopAgentLike VibeAgentOptions"
    `);
  });

  it("offers these names from treadle/memory", async () => {
    expect(await namesOf("./memory")).toMatchInlineSnapshot(`
      "values: createMemoryStore summarizer tokenLimiter ttlCollector
      types: EffectTwin EffectTwins EmbeddingModelLike HistoryMessage MemoryFact MemoryMessage MemoryNamespace MemoryOperations MemoryProcessor MemoryProcessorConfig MemoryStore MemoryStoreOptions MemoryTarget MemoryThread MessageHistory MessageHistoryConfig NamespaceInput NewMessage ProcessorReport RecallRequest RecalledFact SemanticRecallConfig SummarizerOptions TaskMemoryConfig TaskRecallConfig TaskRememberConfig ThreadChoice TokenLimiterOptions UntwinnedStore WorkingMemory WorkingMemoryConfig"
    `);
  });

  it("offers these names from treadle/observability", async () => {
    expect(await namesOf("./observability")).toMatchInlineSnapshot(`
      "values: ServiceObservability createServiceObservabilityLayer createServiceOtelLayer createServiceRuntimeLayer installServiceObservability prometheusContentType renderPrometheusMetrics resolveServiceObservabilityOptions serviceMetrics trackServiceEvent
      types: Counter Gauge Histogram InstalledObservability Labels LogFormat LogLevel ResolvedObservabilityOptions ServiceObservabilityOptions"
    `);
  });

  it("offers these names from treadle/openapi", async () => {
    expect(await namesOf("./openapi")).toMatchInlineSnapshot(`
      "values: OPENAPI_CALL_CHANNEL createOpenApiTool createOpenApiToolSync createOpenApiTools createOpenApiToolsSync describeOperations isOpenApiToolFailure listOperations
      types: OpenApiAuth OpenApiCall OpenApiInput OpenApiOperationCuration OpenApiResponseExample OpenApiSpec OpenApiTool OpenApiToolCallOptions OpenApiToolFailure OpenApiToolsOptions OpenApiWarning OpenApiWarningKind OperationDescription OperationInfo OperationObject ParameterObject PathItem ReferenceObject RequestBodyObject SchemaObject ServerObject"
    `);
  });

  it("offers these names from treadle/gateway", async () => {
    expect(await namesOf("./gateway")).toMatchInlineSnapshot(`
      "values: Gateway
      types: Caller ExtensionContext ExtensionMethod ExtensionStream GatewayAuthConfig GatewayConfig GatewayConfigWorkflow GatewayDefaults GatewayDescription GatewayExtension GatewayJwtAuth GatewayListenOptions GatewayOperatorUiConfig GatewayOptions GatewayRegisterOptions GatewayScope GatewayTokenAuth GatewayTokenGrant GatewayTrustedProxyAuth GatewayUiConfig GatewayUiEntry GatewayWebhookConfig GatewayWebhookRunConfig GatewayWebhookSignalConfig"
    `);
  });

  it("offers these names from treadle/server and treadle/serve", async () => {
    expect(await namesOf("./server")).toMatchInlineSnapshot(`
      "values: startServer
      types: ServerOptions"
    `);
    expect(await namesOf("./serve")).toMatchInlineSnapshot(`
      "values: createServeApp
      types: ServeApp ServeOptions"
    `);
  });

  it("offers these names from treadle/client and treadle/react", async () => {
    expect(await namesOf("./client")).toMatchInlineSnapshot(`
      "values: ClientError bootData createClient
      types: BootData CallOptions ClientOptions ConnectionState EventGap GatewayClient GatewayMethodName GatewayMethods ReceivedError ReconnectOptions RunEventsOptions SequencedEvent SocketConstructor SocketLike SpokenText TaskOutputOptions TokenSource WorkspaceChange"
    `);
    expect(await namesOf("./react")).toMatchInlineSnapshot(`
      "values: ClientProvider useApprovals useClient useLaunch useMethod useRun useRunEvents useRuns useSignal
      types: ActionState Answer ApprovalsResult ClientProviderProps LaunchHook QueryResult QueryState ReadOptions RunEventsHookOptions RunEventsResult SignalHook"
    `);
  });

  it("offers the same values from treadle/client in Node", async () => {
    const inNode = await import("../src/client/node.js");
    const elsewhere = await import("../src/client/index.js");
    expect(Object.keys(inNode).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  });

  it("offers these names from treadle/testing", async () => {
    expect(await namesOf("./testing")).toMatchInlineSnapshot(`
      "values: SimulatedCrash VirtualClock WorkflowTest inProcessSandbox testWorkflow workflowMatchers
      types: ExpectedTask Fuse MatchResult MockAgent MockCall MockScorer MockScorerCall TestWorkflowOptions TestedTask WorkflowMatchers"
    `);
  });

  it("offers these names from treadle/scorers", async () => {
    expect(await namesOf("./scorers")).toMatchInlineSnapshot(`
      "values: aggregateScores createScorer faithfulnessScorer latencyScorer llmJudge relevancyScorer runScorersBatch schemaAdherenceScorer toxicityScorer weightedScore
      types: AggregateOptions AggregateScore BatchOptions CreateScorerConfig LatencyScorerConfig LlmJudgeConfig SampledScore ScoreResult ScoreRow ScoreTarget Scorer ScorerBinding ScorerContext ScorerInput ScorerUsage ScorersMap TaskScore"
    `);
  });

  it("offers these names from treadle/tools", async () => {
    expect(await namesOf("./tools")).toMatchInlineSnapshot(`
      "values: bash createBashTool createEditTool createGrepTool createHttpTool createReadTool createToolContext createTools createWriteTool currentToolContext defineTool edit grep read runWithToolContext write
      types: AgentTool BashInput BuiltinTools EditInput GrepInput HttpToolAuth HttpToolInput HttpToolOptions HttpToolOutput ReadInput ToolCallOptions ToolCallReport ToolContext ToolContextOptions ToolDefinition ToolExecutionContext ToolRevertContext WriteInput"
    `);
  });

  it("offers these names from treadle/jsx-runtime and treadle/jsx-dev-runtime", async () => {
    expect(await namesOf("./jsx-runtime")).toMatchInlineSnapshot(`
      "values: Fragment jsx jsxs
      types: JSX"
    `);
    expect(await namesOf("./jsx-dev-runtime")).toMatchInlineSnapshot(`
      "values: Fragment jsxDEV
      types: JSX"
    `);
  });

  it("has no subpath that is not listed here", () => {
    const listed = [
      ".",
      "./agents",
      "./client",
      "./gateway",
      "./memory",
      "./observability",
      "./openapi",
      "./react",
      "./scorers",
      "./serve",
      "./server",
      "./testing",
      "./tools",
      "./jsx-runtime",
      "./jsx-dev-runtime",
    ];
    expect(Object.keys(exports).filter((subpath) => subpath !== "./package.json")).toEqual(listed);
  });
});
