import { afterEach, beforeEach } from "vitest";
import type { BaseCliAgent, BaseCliAgentOptions, CliAgentResult } from "../../../../src/agents/cli/index.js";
import { ensureError } from "../../../../src/errors/ensure-error.js";
import type { AgentCliEvent, AgentGenerateOptions } from "../../../../src/model/agent.js";
import { createFakeTool, type FakeTool, type Scenario, type Step, type ToolCallRecord } from "./fake-tool.js";

export type ActionEvent = Extract<AgentCliEvent, { type: "action" }>;

/** One generation, seen from outside. */
export interface Observation {
  result?: CliAgentResult;
  error?: Error & { code?: string; details?: Record<string, unknown> };
  events: AgentCliEvent[];
  actions: ActionEvent[];
  stdout: string;
  call: ToolCallRecord;
}

export interface ObservedTool {
  /** The tool of the test that runs. */
  readonly now: FakeTool;
  /** Has the tool play something for an agent that is asked to do something. */
  observe<O extends BaseCliAgentOptions>(
    build: (env: Record<string, string>) => BaseCliAgent<O>,
    scenario: Scenario | Step[],
    args?: AgentGenerateOptions,
  ): Promise<Observation>;
}

/** A fake tool for each test of a file, removed after it. */
export function useFakeTool(command: string): ObservedTool {
  let fake: FakeTool | undefined;
  beforeEach(() => {
    fake = createFakeTool(command);
  });
  afterEach(() => fake?.remove());
  const now = () => {
    if (fake === undefined) throw new Error("there is a tool only while a test runs");
    return fake;
  };

  async function observe<O extends BaseCliAgentOptions>(
    build: (env: Record<string, string>) => BaseCliAgent<O>,
    scenario: Scenario | Step[],
    args: AgentGenerateOptions = {},
  ): Promise<Observation> {
    now().plays(scenario);
    const events: AgentCliEvent[] = [];
    let stdout = "";
    const outcome = await build(now().env)
      .generate({
        prompt: "Do it",
        rootDir: now().cwd,
        onEvent: (event) => events.push(event),
        onStdout: (text) => {
          stdout += text;
        },
        ...args,
      })
      .then(
        (result) => ({ result }),
        (thrown: unknown) => ({ error: ensureError(thrown) }),
      );
    const actions = events.filter((event) => event.type === "action");
    return { ...outcome, events, actions, stdout, call: now().lastCall() };
  }

  return {
    get now() {
      return now();
    },
    observe,
  };
}

/** The argument behind a flag. */
export function flagValue(call: ToolCallRecord, flag: string): string | undefined {
  return flagValues(call, flag)[0];
}

/** Every value of a flag that may be repeated. */
export function flagValues(call: ToolCallRecord, flag: string): string[] {
  return call.argv.flatMap((argument, index) => (argument === flag ? [call.argv[index + 1] as string] : []));
}

/** `kind phase title` of actions, for a look at the whole. */
export function outline(actions: readonly ActionEvent[]): string[] {
  return actions.map(({ phase, action }) => `${action.kind} ${phase} ${action.title}`);
}
