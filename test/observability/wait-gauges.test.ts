import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import { serviceMetrics } from "../../src/index.js";
import { WaitGauges, type WaitSource } from "../../src/observability/wait-gauges.js";

const pending = () => serviceMetrics.approvalPending.value();
const holding = (approvals: number): WaitSource => ({
  countWaits: () => ({ approvals, events: 0, timers: 0 }),
});
const failing = (code: string): WaitSource => ({
  countWaits: () => {
    throw new ServiceError(code, "no");
  },
});

describe("the gauges of what waits", () => {
  it("add databases up, and count one of several handles once", () => {
    const gauges = new WaitGauges();
    const sources = [holding(2), holding(2), holding(3)] as const;
    gauges.watch("a", sources[0]);
    gauges.watch("a", sources[1]);
    gauges.watch("b", sources[2]);
    void gauges.refresh();
    expect(pending()).toBe(5);
  });

  it("wait for a database that answers later", async () => {
    const gauges = new WaitGauges();
    const late = { countWaits: () => Promise.resolve({ approvals: 7, events: 0, timers: 0 }) };
    gauges.watch("late", late);
    await gauges.refresh();
    expect(pending()).toBe(7);
  });

  it("ask another handle where one has been closed, also one that answers later", async () => {
    const gauges = new WaitGauges();
    const open = holding(4);
    const closed = [
      failing("STORAGE_ERROR"),
      { countWaits: () => Promise.reject(new ServiceError("STORAGE_ERROR", "closed")) },
    ];
    gauges.watch("a", open);
    for (const handle of closed) gauges.watch("a", handle);
    await gauges.refresh();
    expect(pending()).toBe(4);
  });

  it("keep the last numbers of a database that cannot be read", () => {
    const gauges = new WaitGauges();
    let isBusy = false;
    const source: WaitSource = {
      countWaits: () => (isBusy ? failing("DB_BUSY") : holding(6)).countWaits(),
    };
    gauges.watch("a", source);
    void gauges.refresh();
    isBusy = true;
    void gauges.refresh();
    expect(pending()).toBe(6);
  });

  it("lose a database that is not open any more", () => {
    const gauges = new WaitGauges();
    const source = failing("STORAGE_ERROR");
    const open = holding(1);
    gauges.watch("a", source);
    gauges.watch("b", open);
    void gauges.refresh();
    expect(pending()).toBe(1);
  });
});
