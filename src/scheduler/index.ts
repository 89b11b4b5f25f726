// The door of this folder: what other folders may use. The architecture test holds that they use nothing else.

export { whyNotTaken } from "./by-hand.js";
export { tasksInCircles } from "./circles.js";
export type { Command, OverBudget, SchedulerEvent } from "./commands.js";
export { type CompiledPlan, compilePlan } from "./compile.js";
export { type AtRest, type Disposition, isAtRest, isEnd } from "./disposition.js";
export { forkCycle } from "./forks.js";
export type { FailureScope, Vertex } from "./graph-types.js";
export { hasWaited } from "./has-waited.js";
export { type Intervention, type SchedulerIntent, type SignalIntent, signalReceived } from "./intents.js";
export { loopIteration } from "./loops.js";
export { failureFingerprint } from "./retry.js";
export { Scheduler } from "./scheduler.js";
export { isDealtWith } from "./scopes.js";
export type { ContinuationRequest, FrameRequest, PassedOn, WaitResolution } from "./state.js";
export type { ScheduledNode, SchedulerView } from "./view.js";
