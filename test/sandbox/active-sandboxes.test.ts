import { afterEach, expect, it, vi } from "vitest";
import { asActiveSandbox } from "../../src/sandbox/active-sandboxes.js";
import { deferred } from "../../src/util/deferred.js";

afterEach(() => vi.unstubAllEnvs());

const named = (sandboxId: string, allowNested = false) => ({ sandboxId, allowNested });

it.each([
  [undefined, 10],
  ["2", 2],
  ["none", 10],
])(
  "with a limit of %s at most %i sandboxes of a process are active, and the next is refused with the counts",
  async (given, limit) => {
    vi.stubEnv("SERVICE_MAX_CONCURRENT_SANDBOXES", given);
    const end = deferred<void>();
    const active = Array.from({ length: limit }, (_, n) =>
      asActiveSandbox(named(`s${n}`), () => end.promise),
    );
    await expect(asActiveSandbox(named("more"), async () => "ran")).rejects.toMatchObject({
      code: "SANDBOX_EXECUTION_FAILED",
      details: { active: limit, limit },
    });
    end.resolve();
    await Promise.all(active);
    expect(await asActiveSandbox(named("more"), async () => "ran")).toBe("ran");
  },
);

it("a sandbox that fails is not active any more", async () => {
  vi.stubEnv("SERVICE_MAX_CONCURRENT_SANDBOXES", "1");
  await expect(asActiveSandbox(named("a"), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await asActiveSandbox(named("b"), async () => "ran")).toBe("ran");
});

it("a sandbox inside another one is refused unless it is allowed to be there", async () => {
  const inside = (allowNested: boolean) =>
    asActiveSandbox(named("outer"), () => asActiveSandbox(named("inner", allowNested), async () => "ran"));
  await expect(inside(false)).rejects.toMatchObject({
    code: "SANDBOX_EXECUTION_FAILED",
    message: expect.stringContaining("Sandbox inner stands inside another one") as string,
  });
  expect(await inside(true)).toBe("ran");
});
