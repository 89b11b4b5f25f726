import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { isLost, serverError } from "../../../src/store/postgres/errors.js";

const ABOUT = { activity: "write", path: "postgres://app@db:5432/work" } as const;

function driverError(code: string, message = "the driver's words"): Error {
  return Object.assign(new Error(message), { code });
}

describe("errors of a server", () => {
  it.each([
    ["40001", "DB_BUSY", "changing the same rows"],
    ["40P01", "DB_BUSY", "deadlock"],
    ["53300", "DB_BUSY", "max_connections"],
    ["53100", "DB_WRITE_FAILED", "disk is full"],
    ["25006", "DB_CONNECTION_LOST", "primary"],
    ["25P03", "DB_CONNECTION_LOST", "idle_in_transaction_session_timeout"],
    ["57P05", "DB_CONNECTION_LOST", "idle_session_timeout"],
    ["57P03", "DB_CONNECTION_LOST", "recovery"],
    ["08006", "DB_CONNECTION_LOST", "connection was lost"],
    ["28P01", "STORAGE_ERROR", "password"],
    ["3D000", "STORAGE_ERROR", "create it first"],
    ["26000", "STORAGE_ERROR", "PgBouncer"],
    ["42703", "DB_WRITE_FAILED", "the driver's words"],
  ])("%s becomes %s and says what is wrong", (state, code, words) => {
    const error = serverError(driverError(state), ABOUT);
    expect(error).toMatchObject({ code, details: { path: ABOUT.path, sqlState: state } });
    expect((error as ServiceError).message).toContain(words);
  });

  it("are those of a pooler where its words say so", () => {
    const refused = (message: string) => serverError(driverError("08P01", message), ABOUT);
    expect(refused("unsupported startup parameter: options")).toMatchObject({
      code: "STORAGE_ERROR",
      retryable: false,
    });
    expect(refused("transaction blocks not allowed in statement pooling mode")).toMatchObject({
      code: "STORAGE_ERROR",
      message: expect.stringContaining("session mode") as string,
    });
    expect(refused("server login has been failing")).toMatchObject({ code: "DB_CONNECTION_LOST" });
  });

  it("are no lost connections for what a statement's error happens to say", () => {
    expect(isLost(driverError("42601", "unterminated quoted string"))).toBe(false);
  });

  it.each(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND"])(
    "a connection that fails with %s is lost",
    (code) => {
      expect(isLost(driverError(code))).toBe(true);
      expect(serverError(driverError(code), ABOUT)).toMatchObject({ code: "DB_CONNECTION_LOST" });
    },
  );

  it("are left as they are where they are no server's", () => {
    const own = new ServiceError("RUN_EXISTS", "The connection of ideas was terminated.");
    expect(serverError(own, ABOUT)).toBe(own);
    expect(isLost(own)).toBe(false);
    const other = new TypeError("x is undefined");
    expect(serverError(other, ABOUT)).toBe(other);
  });
});
