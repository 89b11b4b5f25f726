/** How the types of events of each category begin: a new type is in one by its name. */
const BEGINNINGS = {
  run: ["Run", "WorkflowChange", "Frame", "Loop", "Alert", "Budget"],
  task: ["Node", "Task", "RetryTask", "Intervention"],
  approval: ["Approval", "Decision"],
  signal: ["Signal", "EventWait", "Intent"],
  timer: ["Timer"],
  agent: ["Agent", "TokenUsage", "StructuredOutput"],
  tool: ["ToolCall", "OpenApiTool", "EffectRevert"],
  sandbox: ["Sandbox"],
  files: ["Worktree", "Files"],
  score: ["Scorer"],
  memory: ["Memory"],
  reload: ["WorkflowReload"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What an event is about. */
export type EventCategory = keyof typeof BEGINNINGS;

export const EVENT_CATEGORIES = Object.keys(BEGINNINGS) as EventCategory[];

/** Whether an event of this type is about that. */
export function isEventOf(category: EventCategory, type: string): boolean {
  return BEGINNINGS[category].some((beginning) => type.startsWith(beginning));
}
