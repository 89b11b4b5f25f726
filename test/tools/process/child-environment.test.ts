import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../../src/tools/process/child-environment.js";

const engine = {
  PATH: "/bin",
  HOME: "/home/ada",
  LC_ALL: "C",
  ANTHROPIC_API_KEY: "secret",
  AWS_SECRET_ACCESS_KEY: "secret",
  npm_config_token: "secret",
  NODE_OPTIONS: "--inspect",
  BASH_ENV: "/tmp/evil.sh",
};

describe("the environment of a child", () => {
  it("passes on what programs need, and nothing else of the engine", () => {
    expect(childEnvironment({}, true, engine)).toEqual({
      PATH: "/bin",
      HOME: "/home/ada",
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
    });
  });

  it("adds what the task was given, also over the engine's own", () => {
    const environment = childEnvironment({ PATH: "/opt/bin", TOKEN: "for the task" }, true, engine);
    expect(environment).toMatchObject({ PATH: "/opt/bin", TOKEN: "for the task" });
  });

  it("forbids git every transport without the network, whatever the task was given", () => {
    expect(childEnvironment({ GIT_ALLOW_PROTOCOL: "https" }, false, engine)["GIT_ALLOW_PROTOCOL"]).toBe(
      "none",
    );
    expect(childEnvironment({ GIT_ALLOW_PROTOCOL: "https" }, true, engine)["GIT_ALLOW_PROTOCOL"]).toBe(
      "https",
    );
  });
});
