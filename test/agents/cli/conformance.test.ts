import { type AgentLikeHarness, describeAgentLike } from "../../conformance/agent-like.js";
import { TOOLS, type ToolUnderTest } from "./support/engines.js";
import { createFakeTool } from "./support/fake-tool.js";

for (const tool of TOOLS) describeAgentLike(tool.create({}).constructor.name, () => openHarness(tool));

function openHarness(tool: ToolUnderTest): AgentLikeHarness {
  const fake = createFakeTool(tool.command);
  const agent = tool.create({ env: fake.env });
  return {
    rootDir: fake.cwd,
    agent: () => agent,
    answers(...texts) {
      const series = texts.map((text) => tool.answers(text));
      fake.plays({
        version: tool.engine === "kimi" ? "9.8.7" : `${tool.command}, version 9.8.7`,
        steps: [],
        series,
      });
    },
    fails: () => fake.plays(tool.fails("Something broke for good")),
    runsOutOfQuota: () => fake.plays(tool.fails("You've hit your usage limit. Try again in 3 hours.")),
    hangs: () => fake.plays([{ hang: true }]),
    close: () => fake.remove(),
  };
}
