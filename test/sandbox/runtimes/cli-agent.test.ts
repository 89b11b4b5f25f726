import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { canSandbox } from "../../support/can-sandbox.js";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { sandboxRequest } from "../../support/sandbox-request.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const CHILD = `-
import { createService } from "treadle";
import { ForgeAgent } from "treadle/agents";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ output: z.object({ text: z.string() }) });
export default service(() => (
  <Workflow name="child">
    <Task id="ask" output={outputs.output} agent={new ForgeAgent()} noRetry>Change the notes.</Task>
  </Workflow>
));
`;

/** Answers with what it finds around it, after it has done its work and tried to change what is not its own. */
const FORGE = `#!/bin/sh
case "$*" in *--version*) echo "forge 2.13.21"; exit 0 ;; esac
echo changed > notes
echo planted > /opt/agent/config/model 2>/dev/null
echo planted > /opt/agent/bin/forge 2>/dev/null
echo "{\\"text\\": \\"model $(cat /opt/agent/config/model), key of \${#FORGE_KEY}, $(ls /opt/agent | wc -w) folders, home $(ls -A "$HOME" | grep -c ssh)\\"}"
`;

it.runIf(canSandbox)(
  "runs a command-line agent whose program, configuration and key it is given, and nothing besides",
  async () => {
    const tools = temporaryFolder("agent");
    for (const name of ["bin", "config", ".ssh"]) mkdirSync(join(tools, name));
    writeFileSync(join(tools, "bin/forge"), FORGE);
    chmodSync(join(tools, "bin/forge"), 0o755);
    writeFileSync(join(tools, "config/model"), "small");
    process.env["KEY_OF_FORGE"] = "key-0123456789";
    onTestFinished(() => void delete process.env["KEY_OF_FORGE"]);
    const { request, copy } = sandboxRequest(
      { "child.tsx": CHILD, notes: "-old\n" },
      {
        env: { PATH: "/opt/agent/bin:/usr/bin:/bin" },
        volumes: ["bin", "config"].map((name) => ({
          host: join(tools, name),
          container: `/opt/agent/${name}`,
          readonly: true,
        })),
        egress: { secretBindings: { FORGE_KEY: "KEY_OF_FORGE" } },
      },
    );
    const result = await new BubblewrapRuntime().run(request);
    expect(result).toMatchObject({ status: "finished" });
    expect(result.output).toEqual({ text: "model small, key of 14, 2 folders, home 0" });
    expect(readFileSync(join(copy, "notes"), "utf8")).toBe("changed\n");
    expect(readFileSync(join(tools, "config/model"), "utf8")).toBe("small");
    expect(readFileSync(join(tools, "bin/forge"), "utf8")).toBe(FORGE);
    expect(existsSync(join(request.requestBundlePath, "README.md"))).toBe(false);
  },
);
