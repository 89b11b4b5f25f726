import { components } from "../../../../src/components/components.js";
import type { SandboxProps } from "../../../../src/components/patterns/Sandbox.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffect, PropEffects, PropTable } from "../prop-table.js";
import { field, limitEffects, orderEffects, tasksInside } from "../shared-effects.js";

const { cache: _, ...limits } = limitEffects;
const provider = { id: "mine", run: () => Promise.resolve({}) };

/** The work inside has these limits; the frame shows them at its task. */
const ofRun = (effect: PropEffect, name: keyof typeof limits | "dependsOn" | "needs") => ({
  ...effect,
  shows: field(name === "heartbeatTimeout" ? "heartbeatTimeoutMs" : name, "a-run"),
});
const spec = (name: string): PropEffect["shows"] => {
  const sandbox = field("sandbox", "a-run");
  return (frame) => (sandbox(frame) as Record<string, unknown>)[name];
};
const end = field("sandbox");
const order = orderEffects();

export const sandboxTable = {
  component: components.Sandbox,
  base: { id: "a", workflow: "child.tsx", output: outputs.note },
  effects: {
    ...order,
    dependsOn: ofRun(order.dependsOn, "dependsOn"),
    needs: ofRun(order.needs, "needs"),
    timeoutMs: ofRun(limits.timeoutMs, "timeoutMs"),
    heartbeatTimeoutMs: ofRun(limits.heartbeatTimeoutMs, "heartbeatTimeoutMs"),
    heartbeatTimeout: ofRun(limits.heartbeatTimeout, "heartbeatTimeout"),
    retries: ofRun(limits.retries, "retries"),
    retryPolicy: ofRun(limits.retryPolicy, "retryPolicy"),
    continueOnFail: limits.continueOnFail,
    id: { to: "b", shows: tasksInside, as: ["b-run", "b"] },
    workflow: { to: "other.tsx", shows: spec("workflow"), as: "other.tsx" },
    input: { to: { n: 1 }, shows: spec("input"), as: { n: 1 } },
    output: { to: outputs.output, shows: field("outputKey"), as: "output" },
    provider: { to: provider, shows: spec("provider"), as: provider },
    runtime: { to: "docker", shows: spec("provider"), as: "docker" },
    image: { to: "debian:12", given: { runtime: "docker" }, shows: spec("image"), as: "debian:12" },
    command: {
      to: "make",
      given: { workflow: undefined },
      shows: spec("command"),
      as: ["/bin/sh", "-c", "make"],
    },
    allowNetwork: { to: true, shows: spec("allowNetwork"), as: true },
    allowNested: { to: true, shows: spec("allowNested"), as: true },
    reviewDiffs: { to: false, shows: end, as: { part: "end", id: "a", changes: "leave" } },
    autoAcceptDiffs: { to: true, shows: end, as: { part: "end", id: "a", changes: "accept" } },
    env: { to: { A: "b" }, shows: spec("env"), as: { A: "b" } },
    volumes: {
      to: [{ host: "a", container: "/opt/a" }],
      shows: spec("volumes"),
      as: [{ host: "a", container: "/opt/a" }],
    },
    egress: { to: { noProxy: "a" }, shows: spec("egress"), as: { noProxy: "a" } },
    ports: {
      to: [{ host: 8080, container: 80 }],
      shows: spec("ports"),
      as: [{ host: 8080, container: 80 }],
    },
    workspace: { to: { name: "a" }, shows: spec("workspace"), as: { name: "a" } },
    cpuLimit: { to: 2, shows: spec("cpuLimit"), as: 2 },
    memoryLimit: { to: "2g", shows: spec("memoryBytes"), as: 2 * 1024 ** 3 },
  } satisfies PropEffects<SandboxProps>,
} satisfies PropTable;
