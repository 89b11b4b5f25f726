import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

/** A run of one task that throws `thrown`, whatever that is. */
async function throwing(thrown: unknown) {
  const { api, run } = openScene({ row: z.object({ n: z.int() }) });
  const { Workflow, Task, outputs, service } = api;
  return run(
    service(() => (
      <Workflow name="throwing">
        <Task id="work" output={outputs.row} noRetry>
          {() => {
            throw thrown;
          }}
        </Task>
      </Workflow>
    )),
  );
}

describe("a task that throws something that is not an Error", () => {
  it.each<[unknown, string]>([
    ["oops", '"oops"'],
    [{ status: 502 }, '{"status":502}'],
    [null, "null"],
    [undefined, "undefined"],
  ])(
    "has failed with the value in the message, without a request to report it: %j",
    async (thrown, shown) => {
      const { status, error } = await throwing(thrown);
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "TASK_FAILED", details: { nodeId: "work" } });
      expect(error?.message).toContain(`not an Error was thrown: ${shown}`);
      expect(error?.message).not.toContain("report");
    },
  );
});

/** An error with members that `define` spoils. */
function spoilt(members: PropertyDescriptorMap): Error {
  return Object.defineProperties(new Error("spoilt"), members);
}

const throws = {
  get() {
    throw new Error("read me not");
  },
};

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const poison: [string, () => unknown][] = [
  ["an error whose message is no string", () => spoilt({ message: { value: { deep: 1 } } })],
  ["an error whose name is no string", () => spoilt({ name: { value: 7 } })],
  ["an error with a code that throws", () => spoilt({ code: throws })],
  ["an error with a message that throws", () => spoilt({ message: throws })],
  ["an error with a cause that throws", () => spoilt({ cause: throws })],
  ["an error with a cause that cannot be read", () => spoilt({ cause: { value: revoked({}) } })],
  ["an error with a stack that throws", () => spoilt({ stack: throws })],
  ["a revoked proxy", () => revoked({})],
  ["a revoked proxy of an error", () => revoked(new Error("gone"))],
  ["a proxy whose prototype throws", () => new Proxy({}, { getPrototypeOf: throws.get })],
  ["an error of another realm", () => runInNewContext("new TypeError('from afar')")],
  ["an error of 20 MB", () => new Error("é".repeat(10_000_000))],
  ["a text of 20 MB", () => "x".repeat(20_000_000)],
];

describe("a task that throws what cannot be read", () => {
  it.each(poison)("has failed as any other: %s", async (_what, make) => {
    const { status, error } = await throwing(make());
    expect(status).toBe("failed");
    expect(error?.code).not.toBe("INTERNAL_ERROR");
    expect(error?.details).toMatchObject({ nodeId: "work" });
    expect(Buffer.byteLength(JSON.stringify(error))).toBeLessThan(400_000);
  });

  it("keeps the words of an error from another realm", async () => {
    const { error } = await throwing(runInNewContext("new RangeError('from afar')"));
    expect(JSON.stringify(error)).toContain("from afar");
  });
});

describe("a task that returns, or keeps, what cannot be read", () => {
  const values: [string, () => unknown][] = [
    ["a revoked proxy", () => revoked({})],
    [
      "a row with a getter that throws",
      () => Object.defineProperty({}, "n", { ...throws, enumerable: true }),
    ],
    ["a proxy that refuses its keys", () => new Proxy({ n: 1 }, { ownKeys: throws.get, get: throws.get })],
    [
      "a thenable that throws",
      () => ({
        get then() {
          return throws.get();
        },
      }),
    ],
  ];

  it.each(values)("has failed as any other: %s", async (_what, make) => {
    for (const body of [
      () => make(),
      async () => ({ n: make() }),
      (_deps: unknown, { heartbeat }: { heartbeat(data: unknown): void }) => heartbeat({ n: make() }),
    ]) {
      const { api, run } = openScene({ row: z.object({ n: z.int() }) });
      const { Workflow, Task, outputs, service } = api;
      const { status, error } = await run(
        service(() => (
          <Workflow name="returning">
            <Task id="work" output={outputs.row} noRetry>
              {body as never}
            </Task>
          </Workflow>
        )),
      );
      expect(status).toBe("failed");
      expect(error?.code).not.toBe("INTERNAL_ERROR");
    }
  });
});
