import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SandboxResult } from "../../src/model/sandbox-provider.js";
import { sandboxedRun } from "../support/sandboxed-run.js";
import { watchMetrics } from "./support/changes.js";

const ends = (status: SandboxResult["status"]) => ({
  id: "giving",
  run({ workspacePath }: { workspacePath: string }) {
    writeFileSync(join(workspacePath, "new"), "new\n");
    return Promise.resolve({ status, output: { text: "" } });
  },
});

it("a sandbox is counted with its end, its patch and its transports, and leaves nothing active", async () => {
  const changes = watchMetrics();
  expect(await sandboxedRun({}, { provider: ends("finished"), autoAcceptDiffs: true }).run()).toMatchObject({
    status: "finished",
  });
  expect(await sandboxedRun({}, { provider: ends("failed") }).run()).toMatchObject({ status: "failed" });
  const by = (name: string, labels: Record<string, string> = {}) =>
    changes.of(`service_sandbox_${name}`, labels);
  const runtime = "provider";
  expect({
    created: by("created_total", { runtime }),
    finished: by("completed_total", { runtime, status: "finished" }),
    failed: by("completed_total", { runtime, status: "failed" }),
    active: by("active", { runtime }),
    durations: by("duration_ms_count"),
    bundles: by("bundle_size_bytes_count"),
    transports: by("transport_duration_ms_count"),
    patches: by("patch_count_sum"),
  }).toEqual({
    created: 2,
    finished: 1,
    failed: 1,
    active: 0,
    durations: 1,
    // To each of the two, and back from the one that finished.
    bundles: 3,
    transports: 3,
    patches: 1,
  });
});
