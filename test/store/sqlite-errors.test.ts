import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/errors/service-error.js";
import type { SqlActivity } from "../../src/store/sql-port.js";
import { isBusy, toStoreError } from "../../src/store/sqlite/errors.js";

function driverError(code: string): Error {
  return Object.assign(new Error(`driver says ${code}`), { code });
}

describe("errors of the driver", () => {
  it.each([
    ["SQLITE_BUSY", "write", "DB_BUSY", /another process kept it locked/],
    ["SQLITE_BUSY_SNAPSHOT", "write", "DB_BUSY", /locked/],
    ["SQLITE_LOCKED", "read", "DB_BUSY", /another statement of this process/],
    ["SQLITE_FULL", "write", "DB_WRITE_FAILED", /is full/],
    ["SQLITE_IOERR_WRITE", "write", "DB_WRITE_FAILED", /input\/output error/],
    ["SQLITE_IOERR_READ", "read", "DB_QUERY_FAILED", /input\/output error/],
    ["SQLITE_READONLY_DBMOVED", "write", "DB_WRITE_FAILED", /read-only/],
    ["SQLITE_PERM", "open", "STORAGE_ERROR", /access was denied/],
    ["SQLITE_CANTOPEN", "open", "STORAGE_ERROR", /cannot be opened/],
    ["SQLITE_CORRUPT", "read", "STORAGE_ERROR", /damaged; restore it/],
    ["SQLITE_NOTADB", "open", "STORAGE_ERROR", /not an SQLite database/],
    ["SQLITE_ERROR", "read", "DB_QUERY_FAILED", /driver says SQLITE_ERROR/],
    ["SQLITE_CONSTRAINT_NOTNULL", "write", "DB_WRITE_FAILED", /driver says/],
    ["SQLITE_ERROR", "open", "STORAGE_ERROR", /driver says/],
  ] as [string, SqlActivity, string, RegExp][])(
    "%s while trying to %s becomes %s",
    (code, activity, expected, text) => {
      const cause = driverError(code);
      const error = toStoreError(cause, activity, "service.db") as ServiceError;
      expect(error.code).toBe(expected);
      expect(error.message).toMatch(text);
      expect(error.message).toContain("service.db");
      expect(error.cause).toBe(cause);
      expect(error.details).toEqual({ path: "service.db", sqliteCode: code });
    },
  );

  it.each(["SQLITE_READONLY", "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CANTOPEN"])(
    "do not ask for another attempt after %s",
    (code) => {
      expect((toStoreError(driverError(code), "write", "x") as ServiceError).retryable).toBe(false);
    },
  );

  it("leave other errors as they are", () => {
    const other = new TypeError("mine");
    expect(toStoreError(other, "read", "x")).toBe(other);
    const foreign = driverError("ENOENT");
    expect(toStoreError(foreign, "read", "x")).toBe(foreign);
  });

  it("are distinguished by whether waiting helps", () => {
    expect(isBusy(driverError("SQLITE_BUSY_RECOVERY"))).toBe(true);
    expect(isBusy(driverError("SQLITE_LOCKED_SHAREDCACHE"))).toBe(true);
    expect(isBusy(driverError("SQLITE_FULL"))).toBe(false);
    expect(isBusy("SQLITE_BUSY")).toBe(false);
  });
});
