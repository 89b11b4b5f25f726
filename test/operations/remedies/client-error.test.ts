import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/index.js";
import { errorFamilies } from "../../../src/errors/codes.js";
import { clientError } from "../../../src/operations/remedies/client-error.js";

describe("what a client sees of an error", () => {
  it("is its code, what happened, the facts and what to do", () => {
    const error = new ServiceError("NODE_NOT_WAITING", "ship is finished and waits for no decision.", {
      details: { runId: "r", nodeId: "ship", state: "finished" },
    });
    expect(clientError(error)).toEqual({
      code: "NODE_NOT_WAITING",
      message: error.message,
      details: { runId: "r", nodeId: "ship", state: "finished" },
      remedy: { action: "explain", runId: "r" },
    });
  });

  it.each([
    join(homedir(), "work", "service.db"),
    "/srv/treadle/service.db",
    "~/work/flow.tsx",
    "C:\\Users\\ada\\service.db",
    "file:///opt/treadle/docs/errors.md#run_not_found",
  ])("has no path of the machine: %s", (path) => {
    const error = new ServiceError("RUN_NOT_FOUND", `There is no run r in ${path}.`, {
      details: { runId: "r", deep: { list: [`at ${path}:3`] }, stderr: path },
      cause: new Error(path),
    });
    const seen = JSON.stringify(clientError(error));
    expect(seen).not.toContain(JSON.stringify(path).slice(1, -1));
    expect(seen).toContain("There is no run r in (hidden)");
    expect(clientError(error).details).toEqual({
      runId: "r",
      deep: { list: [expect.stringContaining("(hidden)")] },
    });
  });

  it("keeps what only looks like a path: routes, addresses, ids, fractions", () => {
    const text = "GET /v1/runs/r is not http://host/v1/runs, a/b, 3/7 or TCP/IP";
    const error = new ServiceError("ROUTE_NOT_FOUND", text);
    expect(clientError(error).message).toContain(text);
  });

  it("does not name the process that drives a run, and does not ask for trust", () => {
    const alive = new ServiceError("RUN_OWNER_ALIVE", "Run r is driven by process box/42/x1.", {
      details: { runId: "r", ownerId: "box/42/x1" },
    });
    expect(JSON.stringify(clientError(alive))).not.toContain("box");
    const foreign = new ServiceError("WORKSPACE_NOT_TRUSTED", "Not opened.", { details: { path: "/a/b" } });
    expect(clientError(foreign)).toEqual({
      code: "WORKSPACE_NOT_TRUSTED",
      message: expect.stringContaining("Not opened."),
      details: { path: "(hidden)" },
    });
  });

  it.each([
    new TypeError("undefined is not a function at /srv/app/secret.ts"),
    new ServiceError("INTERNAL_ERROR", "TypeError: secret"),
    "secret",
    null,
  ])("is only that there was one, where it is none of the library's: %s", (thrown) => {
    expect(clientError(thrown)).toEqual({ code: "INTERNAL_ERROR", message: expect.any(String) });
    expect(JSON.stringify(clientError(thrown))).not.toContain("secret");
  });

  it("never has a link into files or a stack, whatever the code", () => {
    for (const code of Object.values(errorFamilies).flatMap((family) => Object.keys(family))) {
      const seen = clientError(new ServiceError(code, "It failed.", { details: { runId: "r" } }));
      expect(
        Object.keys(seen).filter((name) => !["code", "message", "details", "remedy"].includes(name)),
      ).toEqual([]);
      expect(JSON.stringify(seen)).not.toContain("file:");
    }
  });
});
