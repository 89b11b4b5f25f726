import { describe, expect, it } from "vitest";
import { createCommandText } from "../../../src/cli/runs/command-text.js";

describe("a command to paste", () => {
  it("names the database only when the call did", () => {
    expect(createCommandText({})("treadle why k3j2")).toBe("treadle why k3j2");
    expect(createCommandText({ db: "my data/service.db" })("treadle why k3j2")).toBe(
      "treadle why k3j2 --db 'my data/service.db'",
    );
  });

  it("names the gateway when the call did, with a token that is in a file, and no other", () => {
    const at = (token: string | undefined, isNamed = true) =>
      createCommandText({ gateway: { url: "https://g.example", isNamed, token } })("treadle ps");
    expect(at(undefined)).toBe("treadle ps --gateway https://g.example");
    expect(at("@my token.txt")).toBe("treadle ps --gateway https://g.example --token '@my token.txt'");
    expect(at("secret")).toBe("treadle ps --gateway https://g.example");
    expect(at("-")).toBe("treadle ps --gateway https://g.example");
    expect(at("@token.txt", false)).toBe("treadle ps");
  });
});
