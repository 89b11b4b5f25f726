import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import hello from "../../examples/01-hello.js";
import refine from "../../examples/03-refine-until.js";
import pipeline from "../../examples/04-pipeline.js";
import hooks from "../../examples/05-hooks.js";
import agent from "../../examples/06-agent.js";
import saga from "../../examples/09-saga-and-try-catch.js";
import subflow from "../../examples/10-subflow.js";
import openapi from "../../examples/11-openapi-tools.js";
import { folderWith } from "./support/folder.js";

describe("01-hello", () => {
  it("greets the given name, and the world otherwise", async () => {
    expect(await testWorkflow(hello, { input: { name: "Ada" } }).run()).toMatchObject({
      status: "finished",
      output: { text: "Hello, Ada!", letters: 8 },
    });
    expect((await testWorkflow(hello).run()).output).toEqual({ text: "Hello, world!", letters: 10 });
  });
});

describe("03-refine-until", () => {
  it("goes round until the review finds nothing", async () => {
    const run = testWorkflow(refine, { input: { title: "fixed a leak." } });
    const { output } = await run.run();
    // The first round only looks; each further one repairs one fault, and the third fault shows late.
    expect(output).toEqual({ title: "Fix a leak", rounds: 4, ok: true });
    const reviews = (await run.tasks()).filter(({ nodeId }) => nodeId === "review");
    expect(reviews.map(({ output: row }) => row?.faults)).toEqual([
      ["ends with a full stop", "starts with a small letter"],
      ["starts with a small letter"],
      ["tells the past, not what the change does"],
      [],
    ]);
  });

  it("stops at its guard and says that the result is not good", async () => {
    const words = Array.from({ length: 60 }, () => "word").join(" ");
    const run = testWorkflow(refine, { input: { title: `Word ${words}` } });
    const result = await run.run();
    expect(result).toMatchObject({
      status: "finished",
      exhaustedLoops: ["refine"],
      output: { ok: false, rounds: 20 },
    });
  });
});

describe("04-pipeline", () => {
  it("joins both sums", async () => {
    expect((await testWorkflow(pipeline).run()).output).toEqual({
      revenue: 556,
      bestRegion: "west",
      bestProduct: "lamp",
    });
  });

  it("renders as often for all its tasks as for none", async () => {
    let renders = 0;
    const counted = {
      ...pipeline,
      build(ctx: Parameters<typeof pipeline.build>[0]) {
        renders += 1;
        return pipeline.build(ctx);
      },
    };
    const run = testWorkflow(counted);
    await run.run();
    // Once to mount the plan, and once before the run may be called finished.
    expect(renders).toBe(2);
  });
});

describe("05-hooks", () => {
  it("measures each word in a component of its own and judges the longest", async () => {
    const run = testWorkflow(hooks, { input: { words: ["warp", "shuttle"] } });
    expect((await run.run()).output).toEqual({ longest: "shuttle", note: "It repeats 1 of its letters." });
  });

  it("takes the other side of its branch for a word without repeats", async () => {
    const run = testWorkflow(hooks, { input: { words: ["warp"] } });
    expect((await run.run()).output).toEqual({ longest: "warp", note: "No letter occurs twice." });
  });

  it("mounts the verdict only when every word has its row", async () => {
    const run = testWorkflow(hooks, { input: { words: ["warp", "weft"] } });
    await run.run();
    const frames = await run.frames();
    const withVerdict = frames.filter((frame) => frame.includes('id="verdict"'));
    expect(frames[0]).not.toContain("verdict");
    expect(withVerdict.length).toBeGreaterThan(0);
  });
});

describe("06-agent", () => {
  it("counts real files with a tool", async () => {
    const rootDir = folderWith({ "a.json": "{}", "b.json": "{}", "c.ts": "" });
    const input = { question: "How many .json files?" };
    const run = testWorkflow(agent, { input, options: { rootDir } });
    expect((await run.run()).output).toEqual({ sentence: "There are 2 of them.", files: 2 });
    const calls = (await run.events()).filter(({ event }) => event.type === "ToolCallFinished");
    expect(calls.map(({ event }) => event)).toMatchObject([{ nodeId: "count", toolName: "count_files" }]);
  });

  it("asks with a heading and a list, written as Markdown", async () => {
    const run = testWorkflow(agent, { agents: { count: { sentence: "None.", files: 0 } } });
    await run.run();
    expect(run.prompt("count")).toContain("# Count the .ts files");
    expect(run.prompt("count")).toContain("- Use the tool rather than guessing.");
  });
});

describe("09-saga-and-try-catch", () => {
  it("undoes what was done, in reverse, apologizes and notifies", async () => {
    const { status, output, failedChildKeys } = await testWorkflow(saga).run();
    expect({ status, output, failedChildKeys }).toEqual({
      status: "finished",
      failedChildKeys: ["book-car::0"],
      output: {
        log: [
          "flight booked",
          "hotel booked",
          "hotel cancelled",
          "flight cancelled",
          "apologized: There is no car left.",
          "customer notified",
        ],
      },
    });
  });

  it("undoes nothing when everything works", async () => {
    const { output } = await testWorkflow(saga, { input: { cars: 1 } }).run();
    expect(output).toEqual({ log: ["flight booked", "hotel booked", "car booked", "customer notified"] });
  });
});

describe("10-subflow", () => {
  it("counts each text in a run of its own", async () => {
    const run = testWorkflow(subflow, { input: { texts: ["one two", "three"] } });
    expect((await run.run()).output).toEqual({ texts: 2, words: 3 });
    const counted = (await run.tasks()).filter(({ nodeId }) => nodeId.startsWith("text-"));
    expect(counted.map(({ output }) => output)).toMatchObject([{ words: 2 }, { words: 1 }]);
  });
});

describe("11-openapi-tools", () => {
  it("buys and ships a pet by four requests over HTTP", async () => {
    const run = testWorkflow(openapi, { input: { species: "dog" } });
    const { status, output } = await run.run();
    expect(status).toBe("finished");
    expect(output).toEqual({
      pet: expect.any(String),
      order: 1,
      status: "shipped",
      requests: ["GET /v1/search?q=dog", "POST /v1/owners", "POST /v1/orders", "POST /v1/orders/1/shipment"],
    });
    const catalogue = (await run.tasks()).find(({ nodeId }) => nodeId === "catalogue");
    expect(catalogue?.output).toMatchObject({ operations: 20 });
  });
});
