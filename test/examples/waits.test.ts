import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import approval from "../../examples/07-approval.js";
import waits from "../../examples/08-signals-and-timers.js";
import { folderWith } from "./support/folder.js";

describe("07-approval", () => {
  it("releases what was approved, in the name of who approved it", async () => {
    const rootDir = folderWith({});
    const run = testWorkflow(approval, { input: { version: "2.0.0" }, options: { rootDir } });
    expect((await run.run()).status).toBe("waiting-approval");
    const { output } = await run.approve("ship", { decidedBy: "ada" });
    expect(output).toEqual({ released: true, version: "2.0.0", by: "ada" });
    expect(readFileSync(join(rootDir, "releases.log"), "utf8")).toMatch(/^2\.0\.0 ada \S+\n$/);
  });

  it("finishes without a release when it is denied", async () => {
    const run = testWorkflow(approval);
    await run.run();
    const { status, output } = await run.deny("ship", { decidedBy: "bob" });
    expect(status).toBe("finished");
    expect(output).toMatchObject({ released: false, by: "bob" });
  });
});

describe("08-signals-and-timers", () => {
  it("packs after the payment, cools off, and closes after the deadline for complaints", async () => {
    const run = testWorkflow(waits, { input: { cooling: "14d", patienceMs: 86_400_000 } });
    expect((await run.run()).status).toBe("waiting-event");
    expect((await run.signal("payment", { amount: 42 })).status).toBe("waiting-timer");
    const pack = (await run.tasks()).find(({ nodeId }) => nodeId === "pack");
    expect(pack?.output).toMatchObject({ note: "paid 42, packed" });
    expect((await run.advance("14d")).status).toBe("waiting-event");
    expect(await run.advance("1d")).toMatchObject({
      status: "finished",
      output: { amount: 42, complaint: null },
    });
  });

  it("takes a complaint about this order, and only this one", async () => {
    const run = testWorkflow(waits, { input: { cooling: "1s", patienceMs: 60_000 } });
    await run.run();
    await run.signal("payment", { amount: 1 });
    await run.advance("1s");
    await run.signal("customer.complained", { text: "another order" }, { correlationId: "another" });
    expect(run.result.status).toBe("waiting-event");
    await run.signal("customer.complained", { text: "too late" }, { correlationId: run.runId });
    expect(run.result.output).toEqual({ amount: 1, complaint: "too late" });
  });

  it("refuses a payment that is none, and continues waiting", async () => {
    const run = testWorkflow(waits);
    await run.run();
    await expect(run.signal("payment", { amount: -1 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(run.result.status).toBe("waiting-event");
  });
});
