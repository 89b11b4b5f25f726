import { expect, it } from "vitest";
import { runVcs } from "../../src/vcs/run-vcs.js";
import { watchMetrics } from "./support/changes.js";

it("each command of version control is counted, also one that fails", async () => {
  const changes = watchMetrics();
  expect((await runVcs("git", ["--version"], { cwd: process.cwd() })).ok).toBe(true);
  expect((await runVcs("git", ["no-such-command"], { cwd: process.cwd() })).ok).toBe(false);
  expect(changes.of("service_vcs_duration_ms_count")).toBe(2);
});
