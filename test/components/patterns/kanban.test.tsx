import { createService, useCtx } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Kanban, Loop, Sequence, Task, service, outputs } = createService({
  found: z.object({ ids: z.array(z.string()) }),
  text: z.object({ text: z.string() }),
  review: z.object({ fine: z.boolean() }),
  output: z.object({ total: z.int(), done: z.array(z.string()), left: z.array(z.string()) }),
  why: z.object({ left: z.array(z.string()), reasons: z.record(z.string(), z.string()) }),
});

const agent = { id: "agent", generate: async () => ({}) };
const columns = [
  { name: "write", agent, output: outputs.text },
  { name: "review", agent, output: outputs.review },
];
const tickets =
  (...ids: string[]) =>
  () =>
    ids.map((id) => ({ id, title: `Ticket ${id}` }));
type Props = Omit<Partial<Parameters<typeof Kanban>[0]>, "onComplete">;

const board = (useTickets: () => { id: string }[], props: Props = {}) =>
  service(() => (
    <Workflow name="board">
      <Kanban id="b" columns={columns} useTickets={useTickets} onComplete={outputs.output} {...props} />
    </Workflow>
  ));

const text = { text: "written" };
const fine = { fine: true };
const fails = () => {
  throw Object.assign(new Error("cannot"), { retryable: false });
};

describe("a Kanban board", () => {
  it("may have a column that is named as every object's own members are", async () => {
    const columns = [{ name: "constructor", agent, output: outputs.text }];
    const agents = { "b-constructor-1": text };
    const run = testWorkflow(board(tickets("1"), { columns }), { agents });
    expect((await run.run()).status).toBe("finished");
  });

  it("moves each ticket through the columns once, and is over when all have left the last one", async () => {
    const run = testWorkflow(board(tickets("1", "2")), {
      agents: { "b-write-1": text, "b-write-2": text, "b-review-1": fine, "b-review-2": fine },
    });
    expect((await run.run()).output).toEqual({ total: 2, done: ["1", "2"], left: [] });
    expect(run.calls.map(({ nodeId, iteration }) => [nodeId, iteration])).toEqual([
      ["b-write-1", 0],
      ["b-write-2", 0],
      ["b-review-1", 0],
      ["b-review-2", 0],
    ]);
    expect(run.prompt("b-write-1")).toContain('"title": "Ticket 1"');
    expect(run.prompt("b-review-1")).toMatch(
      /"title": "Ticket 1"[^]*the column write made of it[^]*"text": "written"/,
    );
  });

  it("does not hold a ticket back for another one", async () => {
    let finishSlow = () => {};
    const slow = new Promise<void>((resolve) => {
      finishSlow = resolve;
    });
    const run = testWorkflow(board(tickets("slow", "fast")), {
      agents: {
        "b-write-slow": async () => {
          await slow;
          return text;
        },
        "b-write-fast": text,
        "b-review-fast": () => {
          finishSlow();
          return fine;
        },
        "b-review-slow": fine,
      },
    });
    expect((await run.run()).output).toMatchObject({ done: ["slow", "fast"] });
  });

  it("works on so many tickets at once, on the whole board", async () => {
    let [working, most] = [0, 0];
    const work = (row: Record<string, unknown>) => async () => {
      working += 1;
      most = Math.max(most, working);
      await new Promise((resolve) => setImmediate(resolve));
      working -= 1;
      return row;
    };
    const ids = ["1", "2", "3", "4"];
    const agents = ids.flatMap((id) => [
      [`b-write-${id}`, work(text)],
      [`b-review-${id}`, work(fine)],
    ]);
    const run = testWorkflow(board(tickets(...ids), { maxConcurrency: 2 }), {
      agents: Object.fromEntries(agents),
    });
    expect((await run.run()).output).toMatchObject({ done: ids });
    expect(most).toBe(2);
  });

  it("picks up tickets that appear while it is at work, and those of a task before it", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="late">
          <Sequence>
            <Task id="find" output={outputs.found}>
              {{ ids: ["1"] }}
            </Task>
            <Kanban
              id="b"
              columns={columns}
              useTickets={function useTickets() {
                const ctx = useCtx();
                const known = ctx.outputMaybe("found", { nodeId: "find" }) as { ids: string[] } | undefined;
                const isWritten = ctx.latest("text", "b-write-1") !== undefined;
                return [...(known?.ids ?? []), ...(isWritten ? ["2"] : [])].map((id) => ({ id }));
              }}
              onComplete={outputs.output}
            />
          </Sequence>
        </Workflow>
      )),
      { agents: { "b-write-1": text, "b-write-2": text, "b-review-1": fine, "b-review-2": fine } },
    );
    expect((await run.run()).output).toEqual({ total: 2, done: ["1", "2"], left: [] });
  });

  it("releases a ticket that is no longer there", async () => {
    const run = testWorkflow(
      board(
        function useTickets() {
          const isWritten = useCtx().latest("text", "b-write-1") !== undefined;
          return (isWritten ? ["1"] : ["1", "gone"]).map((id) => ({ id }));
        },
        { maxConcurrency: 1 },
      ),
      { agents: { "b-write-1": text, "b-review-1": fine } },
    );
    expect((await run.run()).output).toEqual({ total: 1, done: ["1"], left: [] });
  });

  it("is over at once without tickets", async () => {
    const run = testWorkflow(board(tickets()));
    expect((await run.run()).output).toEqual({ total: 0, done: [], left: [] });
  });

  it("tries tickets that failed again, from where they are", async () => {
    let tries = 0;
    const run = testWorkflow(board(tickets("1", "2")), {
      agents: {
        "b-write-1": text,
        "b-write-2": text,
        "b-review-1": fine,
        "b-review-2": ({ iteration }) => {
          tries += 1;
          return iteration === 0 ? fails() : fine;
        },
      },
    });
    expect((await run.run()).output).toMatchObject({ done: ["1", "2"], left: [] });
    expect(run.calls.filter(({ nodeId }) => nodeId !== "b-review-2")).toHaveLength(3);
    expect(run.calls.filter(({ nodeId }) => nodeId === "b-review-2").at(-1)?.prompt).toContain("written");
    expect(tries).toBeGreaterThan(1);
  });

  it("says where a ticket that is left stands, and why", async () => {
    const workflow = service(() => (
      <Workflow name="board">
        <Kanban
          id="b"
          columns={columns}
          useTickets={tickets("1", "2", "3")}
          maxIterations={2}
          onComplete={outputs.why}
        />
      </Workflow>
    ));
    const run = testWorkflow(workflow, {
      agents: {
        "b-write-1": fails,
        "b-write-2": text,
        "b-write-3": text,
        "b-review-2": fails,
        "b-review-3": fine,
      },
    });
    await run.run();
    const complete = (await run.tasks()).find(({ nodeId }) => nodeId === "b-complete");
    expect(complete?.output).toMatchObject({
      left: ["1", "2"],
      reasons: { "1": "write: cannot", "2": "review: cannot" },
    });
  });

  it("leaves tickets that fail every time where they are", async () => {
    const run = testWorkflow(board(tickets("1", "2"), { maxIterations: 2 }), {
      agents: { "b-write-1": fails, "b-write-2": text, "b-review-2": fine },
    });
    expect(await run.run()).toMatchObject({
      output: { total: 2, done: ["2"], left: ["1"] },
      exhaustedLoops: ["b-loop"],
    });
    expect((await run.tasks()).some(({ nodeId }) => nodeId === "b-review-1")).toBe(false);
  });

  it("with until, goes through all columns again and again, until it holds", async () => {
    const run = testWorkflow(
      service((ctx) => (
        <Workflow name="again">
          <Kanban
            id="b"
            columns={columns}
            useTickets={tickets("1")}
            until={ctx.latest("review", "b-review-1")?.fine === true}
            onComplete={outputs.output}
          />
        </Workflow>
      )),
      { agents: { "b-write-1": text, "b-review-1": [{ fine: false }, fine] } },
    );
    expect((await run.run()).output).toEqual({ total: 1, done: ["1"], left: [] });
    expect(run.calls.map(({ nodeId, iteration }) => `${nodeId} ${iteration}`)).toEqual([
      "b-write-1 0",
      "b-review-1 0",
      "b-write-1 1",
      "b-review-1 1",
    ]);
  });

  it("begins nothing more once until holds", async () => {
    const run = testWorkflow(
      service((ctx) => (
        <Workflow name="enough">
          <Kanban
            id="b"
            columns={columns}
            useTickets={tickets("1", "2", "3")}
            until={ctx.outputs.text.length >= 1}
            maxConcurrency={1}
          />
        </Workflow>
      )),
      { agents: { "b-write-1": text } },
    );
    expect((await run.run()).status).toBe("finished");
    expect(run.calls).toHaveLength(1);
  });

  it("takes any text as an id, agents by column, and prompts and props of a column", async () => {
    const chosen = { id: "chosen", generate: async () => ({}) };
    const run = testWorkflow(
      service(() => (
        <Workflow name="own">
          <Kanban
            id="b"
            columns={[
              {
                name: "in progress",
                output: outputs.text,
                prompt: ({ item, column }) => `${column}: ${item.title}`,
                task: { retries: 2, label: "Do it" },
              },
            ]}
            agents={{ "in progress": chosen }}
            useTickets={tickets("Ü/1")}
          />
        </Workflow>
      )),
      { agents: { "b-in:20progress-:u00dc:2f1": text } },
    );
    expect((await run.run()).status).toBe("finished");
    expect(run.calls[0]?.prompt).toBe("in progress: Ticket Ü/1");
  });

  it("starts anew in each iteration of a loop around it", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="outer">
          <Loop id="outer" maxIterations={2}>
            <Kanban id="b" columns={columns.slice(0, 1)} useTickets={tickets("1")} />
          </Loop>
        </Workflow>
      )),
      { agents: { "b-write-1@@outer=0": text, "b-write-1@@outer=1": text } },
    );
    expect((await run.run()).status).toBe("finished");
    expect(run.calls).toHaveLength(2);
  });

  it.each<[string, () => { id: string }[], Props, string]>([
    ["no columns", tickets(), { columns: [] }, "columns={[]}"],
    [
      "a column for nobody",
      tickets(),
      { columns: [{ name: "a", output: "text" }] },
      "columns[0].agent={undefined}",
    ],
    [
      "two columns of one name",
      tickets(),
      { columns: [columns[0], columns[0]] as never },
      'columns[1].name="write"',
    ],
    [
      "an agent for no column",
      tickets(),
      { agents: { wriet: agent } },
      "agents.wriet={an object}; expected only columns: write, review",
    ],
    [
      "a field of no column",
      tickets(),
      { columns: [{ ...columns[0], limit: 2 } as never] },
      "columns[0]={an object}; expected a column {name, output, agent?",
    ],
    [
      "a column that is none",
      tickets(),
      { columns: [null as never] },
      "columns[0]={null}; expected a column",
    ],
    ["tickets of one id", tickets("1", "1"), {}, 'useTickets()[1].id="1"'],
    ["a ticket without an id", () => [{}] as never, {}, "useTickets()[0].id={undefined}"],
    ["tickets that are no list", () => ({}) as never, {}, "useTickets()={an object}"],
  ])("refuses %s", async (_what, useTickets, props, message) => {
    await expect(testWorkflow(board(useTickets, props)).run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(message),
    });
  });
});
