import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommandText, type FollowedCall } from "../../../src/cli/runs/command-text.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function commandText(options: FollowedCall["options"], terminal: Partial<FollowedCall["terminal"]> = {}) {
  return createCommandText({
    options,
    terminal: { runner: "treadle", cwd: "/", environment: {}, ...terminal },
  });
}

describe("a command to paste", () => {
  it("names the database only when the call did", () => {
    expect(commandText({})("treadle why k3j2")).toBe("treadle why k3j2");
    expect(commandText({ db: "my data/service.db" })("treadle why k3j2")).toBe(
      "treadle why k3j2 --db 'my data/service.db'",
    );
  });

  it("does not name the database that is found without its name", () => {
    const cwd = temporaryFolder();
    const database = join(cwd, "service.db");
    writeFileSync(database, "");
    expect(commandText({ db: "service.db" }, { cwd })("treadle ps")).toBe("treadle ps");
    expect(commandText({ db: database }, { cwd })("treadle ps")).toBe("treadle ps");
    const other = { SERVICE_DB: "/other.db" };
    expect(commandText({ db: "/other.db" }, { cwd, environment: other })("treadle ps")).toBe("treadle ps");
    expect(commandText({ db: database }, { cwd, environment: other })("treadle ps")).toContain("--db");
    const elsewhere = { SERVICE_GATEWAY: "http://g" };
    expect(commandText({ db: database }, { cwd, environment: elsewhere })("treadle ps")).toContain("--db");
  });

  it("names no place where none belongs", () => {
    expect(commandText({ db: "a.db" })("treadle help errors CLI_USAGE")).toBe(
      "treadle help errors CLI_USAGE",
    );
  });

  it("begins as the call did", () => {
    const typed = commandText({ db: "a.db" }, { runner: "pnpm exec treadle" });
    expect(typed("treadle up --resume k3j2")).toBe("pnpm exec treadle up --resume k3j2 --db a.db");
    expect(typed("treadle why -- -k")).toBe("pnpm exec treadle --db a.db why -- -k");
  });

  it("names the gateway when the call did, with a token that is in a file, and no other", () => {
    const at = (token: string | undefined, isNamed = true) =>
      commandText({ gateway: { url: "https://g.example", isNamed, token } })("treadle ps");
    expect(at(undefined)).toBe("treadle ps --gateway https://g.example");
    expect(at("@my token.txt")).toBe("treadle ps --gateway https://g.example --token '@my token.txt'");
    expect(at("secret")).toBe("treadle ps --gateway https://g.example");
    expect(at("-")).toBe("treadle ps --gateway https://g.example");
    expect(at("@token.txt", false)).toBe("treadle ps");
  });
});
