import { afterEach, describe, expect, it, vi } from "vitest";
import { resolveServiceObservabilityOptions as resolve } from "../../src/observability/index.js";

afterEach(() => void vi.unstubAllEnvs());

describe("options of observability", () => {
  it("have these defaults", () => {
    for (const name of ["SERVICE_LOG_FORMAT", "SERVICE_LOG_LEVEL", "SERVICE_OTEL_ENABLED"])
      vi.stubEnv(name, "");
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", undefined);
    vi.stubEnv("OTEL_SERVICE_NAME", undefined);
    expect(resolve()).toEqual({
      enabled: false,
      endpoint: "http://localhost:4318",
      serviceName: "service",
      logFormat: "logfmt",
      logLevel: "Info",
      installLogger: true,
    });
  });

  it("come from the environment, and before it from the call", () => {
    vi.stubEnv("SERVICE_OTEL_ENABLED", "true");
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.test/otlp");
    vi.stubEnv("OTEL_SERVICE_NAME", "billing");
    vi.stubEnv("SERVICE_LOG_FORMAT", "pretty");
    vi.stubEnv("SERVICE_LOG_LEVEL", "warning");
    expect(resolve()).toEqual({
      enabled: true,
      endpoint: "https://collector.test/otlp",
      serviceName: "billing",
      logFormat: "pretty",
      logLevel: "Warn",
      installLogger: true,
    });
    const given = {
      enabled: false,
      endpoint: "http://127.0.0.1:4318",
      serviceName: "shop",
      logFormat: "json",
      logLevel: "none",
      installLogger: false,
    } as const;
    expect(resolve(given)).toEqual({ ...given, logLevel: "None" });
  });

  it.each([
    ["1", true],
    ["true", true],
    ["TRUE", true],
    ["0", false],
    ["false", false],
  ])("SERVICE_OTEL_ENABLED=%s means %s", (text, enabled) => {
    vi.stubEnv("SERVICE_OTEL_ENABLED", text);
    expect(resolve().enabled).toBe(enabled);
  });

  it.each(["none", "trace", "debug", "info", "warning", "error", "fatal", "all", "Info", "Warn"] as const)(
    "the level %s is one",
    (logLevel) => {
      const name = logLevel === "warning" ? "warn" : logLevel.toLowerCase();
      expect(resolve({ logLevel }).logLevel.toLowerCase()).toBe(name);
    },
  );

  it.each([
    ["SERVICE_OTEL_ENABLED", "yes"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["SERVICE_LOG_FORMAT", "xml"],
    ["SERVICE_LOG_LEVEL", "loud"],
  ])("%s=%s is refused by name", (name, text) => {
    vi.stubEnv(name, text);
    expect(() => resolve()).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
    expect(() => resolve()).toThrow(new RegExp(`${name}.*${text}`));
  });

  it("a collector's address with credentials is refused, without repeating them", () => {
    const endpoint = "https://ada:hunter2@collector.test";
    const refusal = /^(?!.*hunter2).*OTEL_EXPORTER_OTLP_HEADERS/;
    expect(() => resolve({ endpoint })).toThrow(refusal);
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    expect(() => resolve()).toThrow(refusal);
  });

  it("the value of an option that is not known is not repeated: it may be a misspelt secret", () => {
    expect(() => resolve({ endpiont: "hunter2" } as object)).toThrow(
      /^(?!.*hunter2).*did you mean endpoint\?/,
    );
  });

  it.each([
    ["enabled", "yes"],
    ["endpoint", "ftp://collector"],
    ["serviceName", ""],
    ["logFormat", "xml"],
    ["logLevel", "loud"],
    ["installLogger", 1],
    ["logLevle", "info"],
  ])("the option %s as %j is refused", (option, value) => {
    expect(() => resolve({ [option]: value })).toThrow(new RegExp(`Option ${option}: expected`));
  });
});
