import { describe, expect, it } from "vitest";
import * as api from "../../src/index.js";
import { type Case, CASES } from "./option-cases.js";

/** Functions of the root that take no options: components have props, which graph tests cover; a provider is an object. */
const WITHOUT_OPTIONS = [
  "continueAsNew",
  "explainRun",
  "getFrame",
  "getRun",
  "getTaskRuntime",
  "hashCapabilityRegistry",
  "listNodes",
  "listOperations",
  "listWorkers",
  "registerSandboxProvider",
  "remedyOf",
  "renderPrometheusMetrics",
  "trackServiceEvent",
  "useCtx",
];

async function thrownBy(call: () => unknown): Promise<Error & { code?: string }> {
  try {
    await call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was refused");
}

describe.each(Object.entries(CASES))("%s", (_name, { valid, wrong, typo, code = "INVALID_INPUT", call }) => {
  it("refuses an option that it does not have, with the nearest one that it has", async () => {
    const error = await thrownBy(() => call({ ...valid, [typo[0]]: wrong[1] } as never));
    expect(error).toMatchObject({ code, message: expect.stringContaining(typo[0]) });
    expect(error.message).toContain(`did you mean ${typo[1]}?`);
  });

  it("refuses an option of another type, by its name", async () => {
    const error = await thrownBy(() => call({ ...valid, [wrong[0]]: wrong[1] } as never));
    expect(error).toMatchObject({ code, message: expect.stringContaining(wrong[0]) });
  });
});

/** All options of the function, as it says when it is given one that it does not have. */
async function optionsOf({ valid, call }: Case): Promise<string[]> {
  const { message } = await thrownBy(() => call({ ...valid, noSuchOption: 1 } as never));
  return /expected an option of .*? \(([^()]*)\)[^()]*$/.exec(message)?.[1]?.split(", ") ?? [];
}

const getterOf = (name: string, valid: object = {}) =>
  Object.defineProperty({ ...valid }, name, {
    enumerable: true,
    get: () => {
      throw new TypeError("a getter");
    },
  });

const HOSTILE: Readonly<Record<string, (name: string, valid?: object) => object>> = {
  "a symbol": (name, valid) => ({ ...valid, [name]: Symbol("of nothing") }),
  "a getter that throws": getterOf,
};

/** A value is looked at with what it is for: a run, a schema, a driver of databases. */
const LOOKED_AT_LATER = [
  "runWorkflow that resumes.input",
  "signalRun.data",
  "approveNode.data",
  "denyNode.data",
  "startServer.db",
  "testWorkflow.input",
];

describe.each(Object.entries(CASES))("each option of %s", (name, tested) => {
  it.each(Object.entries(HOSTILE))("is refused by its name when it is %s", async (kind, hostile) => {
    const isLater = (option: string) => kind === "a symbol" && LOOKED_AT_LATER.includes(`${name}.${option}`);
    const options = (await optionsOf(tested)).filter((option) => !isLater(option));
    expect(options.length).toBeGreaterThan(0);
    const accepted: string[] = [];
    for (const option of options) {
      const error: Error & { code?: string } = await thrownBy(() =>
        tested.call(hostile(option, tested.valid) as never),
      ).catch((nothing: Error) => nothing);
      const isNamed = new RegExp(`\\b${option}\\b`).test(error.message);
      if (error.code !== (tested.code ?? "INVALID_INPUT") || !isNamed)
        accepted.push(`${name}.${option}: ${error.message}`);
    }
    expect(accepted).toEqual([]);
  });
});

it("every function of the root with options is among them", () => {
  const functions = Object.entries(api).flatMap(([name, value]) =>
    typeof value === "function" && /^[a-z]/.test(name) ? [name] : [],
  );
  expect(functions.filter((name) => !(name in CASES) && !WITHOUT_OPTIONS.includes(name))).toEqual([]);
});
