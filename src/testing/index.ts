// The test kit: `treadle/testing`.
export { inProcessSandbox } from "./in-process-sandbox.js";
export { type Fuse, SimulatedCrash } from "./mortal-process.js";
export { type ExpectedTask, type MatchResult, type WorkflowMatchers, workflowMatchers } from "./matchers.js";
export type { MockAgent, MockCall } from "./mock-agent.js";
export type { MockScorer, MockScorerCall } from "./mock-scorer.js";
export type { TestWorkflowOptions } from "./test-options.js";
export type { TestedTask } from "./stored-run.js";
export { testWorkflow, WorkflowTest } from "./test-workflow.js";
export { VirtualClock } from "./virtual-clock.js";
