import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { describeFailure } from "../../../src/hosts/http/error-response.js";

describe("an error as clients see it", () => {
  it("is code, message and facts of one that it can do something about", () => {
    const error = new ServiceError("RUN_NOT_FOUND", "There is no run x.", { details: { runId: "x" } });
    expect(describeFailure(error)).toMatchObject({
      status: 404,
      body: {
        error: {
          code: "RUN_NOT_FOUND",
          message: expect.stringContaining("no run x"),
          details: { runId: "x" },
        },
      },
    });
  });

  it("is nothing of this machine for the host's own failures and for errors of libraries", () => {
    const failures = [
      new ServiceError("STORAGE_ERROR", "cannot open /home/ann/service.db", {
        details: { path: "/home/ann" },
      }),
      new ServiceError("INTERNAL_ERROR", "at /srv/app/dist/index.js:3"),
      new TypeError("x of undefined at /srv/app"),
      "a thrown text with /srv/app",
    ];
    for (const failure of failures) {
      const { status, body } = describeFailure(failure);
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toMatch(/\/home|\/srv|file:/);
    }
  });
});
