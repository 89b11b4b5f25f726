import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { components } from "../../../../src/components/components.js";
import { roundsIn } from "../../../../src/model/address.js";
import type { CompositeCase, End, Refusal } from "./composite-case.js";
import { cases } from "./cases/index.js";
import { runCase } from "./run-case.js";

const { Loop, Parallel, Workflow } = components;

const PATTERNS = fileURLToPath(new URL("../../../../src/components/patterns", import.meta.url));

/** What is documented, whole: no node besides, and none missing. Rows may have more fields. */
function expectEnd(actual: End, expected: End): void {
  expect({ failed: actual.failed, nodes: Object.keys(actual.nodes).sort() }).toEqual({
    failed: expected.failed,
    nodes: Object.keys(expected.nodes).sort(),
  });
  expect(actual.nodes).toMatchObject(expected.nodes);
}

async function codeOf(running: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { code = "none", message = "it ran" } = (error ?? {}) as { code?: string; message?: string };
  return { code, message };
}

const isRefusal = (end: End | Refusal): end is Refusal => "refused" in end;

it("every composite has a case", () => {
  const composites = readdirSync(PATTERNS)
    .filter((file) => /^[A-Z].*\.tsx$/.test(file))
    .map((file) => file.replace(".tsx", ""));
  expect(Object.keys(cases).sort()).toEqual([...composites, "Aspects", "HumanTask"].sort());
});

describe.each(Object.entries(cases))("%s", (name, composite: CompositeCase) => {
  it("with no members does what its page says", async () => {
    const expected = composite.none("x");
    const running = runCase(composite, (mount) => <Workflow name="w">{mount({ size: 0 })}</Workflow>);
    if (!isRefusal(expected)) return expectEnd((await running).end, expected);
    const { code, message } = await codeOf(running);
    expect(code).toBe(expected.refused);
    expect(message).toContain(`<${name} id="x">`);
    expect(message).toContain(expected.naming);
  });

  it("with one member ends as documented", async () => {
    const { end } = await runCase(composite, (mount) => <Workflow name="w">{mount({ size: 1 })}</Workflow>);
    expectEnd(end, composite.one("x"));
  });

  it("with many members ends as documented, also when a crash comes at any commit; nothing runs twice", async () => {
    const run = (fuses: Parameters<typeof runCase>[2]) =>
      runCase(composite, (mount) => <Workflow name="w">{mount({})}</Workflow>, fuses);
    const calm = await run([]);
    expectEnd(calm.end, composite.many("x"));
    for (let commit = 1; commit <= calm.commits; commit += 1) {
      const fuse = { commit, when: commit % 2 === 0 ? "before" : "after" } as const;
      const crashed = await run([fuse]);
      expect({ ...crashed.end, twice: crashed.twice }, `crash ${fuse.when} commit ${commit}`).toEqual({
        ...calm.end,
        twice: [],
      });
      // Only what the crash interrupted is asked again, in an attempt of its own.
      expect(new Set(crashed.calls).size, `crash ${fuse.when} commit ${commit}`).toBe(crashed.calls.length);
    }
  });

  it("with a failing member ends as documented", async () => {
    const { end } = await runCase(composite, (mount) => (
      <Workflow name="w">{mount({ isFailing: true })}</Workflow>
    ));
    // How far others have come beside it is a matter of time.
    expect(end).toMatchObject(composite.failing("x"));
  });

  it.skipIf(composite.except?.loop !== undefined)(
    "directly in a Loop starts anew in each iteration",
    async () => {
      const alone = await runCase(composite, (mount) => <Workflow name="w">{mount({})}</Workflow>);
      const { end, course, shown } = await runCase(composite, (mount) => (
        <Workflow name="w">
          <Loop id="outer" maxIterations={2}>
            {mount({})}
          </Loop>
        </Workflow>
      ));
      expect(end.failed).toBeUndefined();
      for (const round of [0, 1]) {
        const inRound = course.map(({ what, node }) => ({ what, node: aloneIn(round, node) }));
        const nodes = Object.entries(end.nodes).map(([name, node]) => [aloneIn(round, name), node] as const);
        expectEnd(
          { nodes: Object.fromEntries(nodes.filter(([name]) => name !== undefined)) },
          composite.many("x"),
        );
        // Rows of the round before would let parts begin too soon.
        expect(inRound.filter(({ node }) => node !== undefined)).toEqual(alone.course);
        // Nor are they reported.
        const told = shown.map(({ prompt, node }) => ({ prompt, node: aloneIn(round, node) }));
        expect(told.filter(({ node }) => node !== undefined)).toEqual(alone.shown);
      }
    },
  );

  it("beside its twin in a Parallel comes to the same as alone", async () => {
    const { end } = await runCase(composite, (mount) => (
      <Workflow name="w">
        <Parallel>
          {mount({ id: "a", size: 1 })}
          {mount({ id: "b", size: 3 })}
        </Parallel>
      </Workflow>
    ));
    expectEnd(end, { nodes: { ...composite.one("a").nodes, ...composite.many("b").nodes } });
  });

  it("with skipIf runs nothing", async () => {
    const { end, calls } = await runCase(composite, (mount) => (
      <Workflow name="w">{mount({ skipIf: true })}</Workflow>
    ));
    expect(calls).toEqual([]);
    expect(Object.values(end.nodes).filter((node) => node !== "skipped")).toEqual([]);
  });

  it.skipIf(composite.except?.defaultId !== undefined)(
    "twice without an id is refused, with the prop to set",
    async () => {
      const { code } = await codeOf(
        runCase(composite, (mount) => (
          <Workflow name="w">
            {mount({ id: undefined })}
            {mount({ id: undefined })}
          </Workflow>
        )),
      );
      expect(code).toBe("DUPLICATE_ID");
    },
  );
});

/** What a node is called that stands in this iteration of the loop around, as if it stood alone; undefined for others. */
function aloneIn(round: number, name: string): string | undefined {
  const [address = "", iteration = "0"] = name.split("::");
  const [outer, ...inner] = roundsIn(address);
  // A node of the outer loop itself has the round as its iteration, one of a loop inside has it in its id.
  if (outer === undefined) return Number(iteration) === round ? address : undefined;
  if (outer.iteration !== round) return undefined;
  const rest = inner.map(({ id, iteration: at }) => `@@${id}=${at}`).join("");
  const alone = `${address.slice(0, address.indexOf("@@"))}${rest}`;
  return iteration === "0" ? alone : `${alone}::${iteration}`;
}
