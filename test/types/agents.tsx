/** Compiled, never run: what is accepted where a component asks for an agent. */
import { ToolLoopAgent, tool } from "ai";
import { z } from "zod";
import { AnthropicAgent } from "../../src/agents/sdk/anthropic-agent.js";
import { ClaudeCodeAgent } from "../../src/agents/cli/index.js";
import type { ServiceComponents } from "../../src/components/components.js";
import type { AgentLike } from "../../src/model/agent.js";

const schemas = { note: z.object({ text: z.string(), satisfied: z.boolean() }) };
declare const service: ServiceComponents<typeof schemas>;
declare const agent: AgentLike;
const { Task, Poller } = service;

const look = tool({ inputSchema: z.object({ at: z.string() }), execute: async ({ at }) => at });
const bare = new ToolLoopAgent({ model: "m" });
const withTools = new ToolLoopAgent({ model: "m", tools: { look }, instructions: "Look." });
const withCallOptions = new ToolLoopAgent({ model: "m", callOptionsSchema: z.object({ depth: z.number() }) });
const ours = [new AnthropicAgent({ model: "m" }), new ClaudeCodeAgent()] as const;

// Agents of the AI SDK as they stand, alone, in a chain, and as the last resort.
<Task id="a" output="note" agent={bare} children="Note this." />;
<Task id="b" output="note" agent={withTools} fallbackAgent={bare} children="Note this." />;
<Task id="c" output="note" agent={[withTools, agent, ...ours]} children="Note this." />;
<Task id="d" output="note" agent={withCallOptions} children="Note this." />;
<Poller check={withTools} checkOutput="note">
  Is it there?
</Poller>;

// @ts-expect-error an agent can generate
<Task id="e" output="note" agent={{ id: "x" }} children="Note this." />;
// @ts-expect-error an agent is not its name
<Task id="f" output="note" agent="claude" children="Note this." />;
// @ts-expect-error so can the last resort
<Task id="g" output="note" agent={agent} fallbackAgent={{}} children="Note this." />;
