import { describe, expect, it } from "vitest";
import { errorFamilies } from "../../src/errors/codes.js";
import { docsUrlOf } from "../../src/errors/docs-url.js";
import { ServiceError } from "../../src/errors/service-error.js";

const SUMMARY = "Run r1 does not exist in service.db.";

describe("ServiceError", () => {
  it("says what happened and then what to do", () => {
    const error = new ServiceError("RUN_NOT_FOUND", SUMMARY);
    expect(error.summary).toBe(SUMMARY);
    expect(error.message).toBe(`${SUMMARY} ${errorFamilies.Runs.RUN_NOT_FOUND.next}`);
  });

  it("has the summary as its message when the table does not know the code", () => {
    expect(new ServiceError("PRINTER_ON_FIRE", "The printer burns.").message).toBe("The printer burns.");
  });

  it("points at the code's entry in the error reference", () => {
    expect(new ServiceError("RUN_NOT_FOUND", SUMMARY).docsUrl).toMatch(/\/docs\/errors\.md#run_not_found$/);
  });

  it("points at the whole reference when the table does not know the code", () => {
    expect(docsUrlOf("PRINTER_ON_FIRE")).toMatch(/\/docs\/errors\.md$/);
  });

  it("is an Error by the name of ServiceError", () => {
    const error = new ServiceError("RUN_NOT_FOUND", SUMMARY);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe(`ServiceError: ${error.message}`);
  });

  it("keeps its cause", () => {
    const cause = new Error("disk full");
    expect(new ServiceError("DB_WRITE_FAILED", "Commit failed.", { cause }).cause).toBe(cause);
  });

  it("keeps a cause that is not an Error", () => {
    expect(new ServiceError("INTERNAL_ERROR", "Failed.", { cause: null }).cause).toBeNull();
  });

  it("has none of the optional members that it was not given", () => {
    const error = new ServiceError("RUN_NOT_FOUND", SUMMARY);
    expect("details" in error).toBe(false);
    expect("cause" in error).toBe(false);
    expect("retryable" in error).toBe(false);
  });
});

describe("ServiceError.is", () => {
  it("recognises an error of this class, with any code or a given one", () => {
    const error = new ServiceError("RUN_NOT_FOUND", SUMMARY);
    expect(ServiceError.is(error)).toBe(true);
    expect(ServiceError.is(error, "RUN_NOT_FOUND")).toBe(true);
    expect(ServiceError.is(error, "NODE_NOT_FOUND")).toBe(false);
  });

  it("recognises an error of another copy of the library", () => {
    const foreign = Object.assign(new Error("x"), { name: "ServiceError", code: "RUN_NOT_FOUND" });
    expect(ServiceError.is(foreign, "RUN_NOT_FOUND")).toBe(true);
  });

  it("refuses errors of other classes that carry a code", () => {
    expect(ServiceError.is(Object.assign(new Error("no such file"), { code: "ENOENT" }))).toBe(false);
  });

  it("refuses an error by that name whose code is not text", () => {
    expect(ServiceError.is(Object.assign(new Error("x"), { name: "ServiceError", code: 7 }))).toBe(false);
  });

  it.each([[undefined], [null], ["ServiceError"], [{ name: "ServiceError", code: "RUN_NOT_FOUND" }]])(
    "refuses %j, which is not an Error",
    (value) => {
      expect(ServiceError.is(value)).toBe(false);
    },
  );
});
