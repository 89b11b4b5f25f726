import fc from "../../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { hashCapabilityRegistry } from "../../../src/agents/capabilities/hash-capability-registry.js";
import { CLI_CAPABILITIES } from "../../../src/agents/capabilities/registries.js";
import { AGENT_ENGINES, type AgentCapabilityRegistry } from "../../../src/model/agent.js";

const registry: AgentCapabilityRegistry = {
  version: 1,
  engine: "codex",
  runtimeTools: { b: { description: "B", source: "mcp" }, a: {} },
  mcp: { bootstrap: "inline-config", supportsProjectScope: true, supportsUserScope: false },
  skills: { supportsSkills: true, installMode: "files", serviceSkillIds: ["two", "one"] },
  humanInteraction: { supportsUiRequests: true, methods: ["select", "confirm"] },
  builtIns: ["write", "bash", "read"],
};

describe("hashCapabilityRegistry", () => {
  it("is a SHA-256 in hex", () => {
    expect(hashCapabilityRegistry(registry)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("does not depend on the order of members and ids", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(registry.builtIns, { minLength: registry.builtIns.length }),
        fc.shuffledSubarray(Object.entries(registry), { minLength: Object.keys(registry).length }),
        (builtIns, members) => {
          const shuffled = { ...Object.fromEntries(members), builtIns } as AgentCapabilityRegistry;
          expect(hashCapabilityRegistry(shuffled)).toBe(hashCapabilityRegistry(registry));
        },
      ),
    );
  });

  it("does not depend on repetition and extra blanks in ids", () => {
    const noisy = { ...registry, builtIns: [" bash ", "read", "write", "read", ""] };
    expect(hashCapabilityRegistry(noisy)).toBe(hashCapabilityRegistry(registry));
  });

  it.each<[string, Partial<AgentCapabilityRegistry>]>([
    ["a tool more", { builtIns: [...registry.builtIns, "edit"] }],
    ["another engine", { engine: "pi" }],
    ["a description", { runtimeTools: { ...registry.runtimeTools, a: { description: "A" } } }],
    ["another way to MCP servers", { mcp: { ...registry.mcp, bootstrap: "unsupported" } }],
    ["a skill less", { skills: { ...registry.skills, serviceSkillIds: ["one"] } }],
  ])("tells %s apart", (_what, change) => {
    expect(hashCapabilityRegistry({ ...registry, ...change })).not.toBe(hashCapabilityRegistry(registry));
  });

  it("takes a part that is missing like one that is empty", () => {
    const bare = {} as AgentCapabilityRegistry;
    expect(hashCapabilityRegistry(bare)).toBe(hashCapabilityRegistry(null));
    const { skills: _skills, ...without } = registry;
    const empty = { supportsSkills: false, serviceSkillIds: [] };
    expect(hashCapabilityRegistry(without as AgentCapabilityRegistry)).toBe(
      hashCapabilityRegistry({ ...registry, skills: empty }),
    );
  });

  it.each<[string, unknown]>([
    ["registry", "codex"],
    ["registry.mcp", { mcp: true }],
    ["registry.builtIns", { builtIns: "bash" }],
    ["registry.runtimeTools.a", { runtimeTools: { a: "A" } }],
  ])("refuses what is none, naming %s", (option, wrong) => {
    expect(() => hashCapabilityRegistry(wrong as AgentCapabilityRegistry)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", details: expect.objectContaining({ option }) }),
    );
  });

  it("treats no registry like one that can do nothing", () => {
    expect(hashCapabilityRegistry(null)).toBe(hashCapabilityRegistry(undefined));
    expect(hashCapabilityRegistry(null)).not.toBe(hashCapabilityRegistry(registry));
  });
});

describe("the registries of the ten tools", () => {
  it("are all there and all different", () => {
    const hashes = AGENT_ENGINES.map((engine) => hashCapabilityRegistry(CLI_CAPABILITIES[engine]));
    expect(new Set(hashes).size).toBe(10);
  });

  it.each(AGENT_ENGINES)("name what %s brings along, once and in order", (engine) => {
    const { builtIns } = CLI_CAPABILITIES[engine];
    expect(builtIns.length).toBeGreaterThan(0);
    expect(builtIns).toEqual([...new Set(builtIns)].sort());
  });

  it("know who can be asked by whom: only Pi puts questions to the user", () => {
    const asking = AGENT_ENGINES.filter(
      (engine) => CLI_CAPABILITIES[engine].humanInteraction.supportsUiRequests,
    );
    expect(asking).toEqual(["pi"]);
  });
});
