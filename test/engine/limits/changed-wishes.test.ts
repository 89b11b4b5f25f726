import { expect, it, onTestFinished } from "vitest";
import { SlotLimiter } from "../../../src/engine/slots/slot-limiter.js";
import { taskKey } from "../../../src/model/address.js";
import type { Store } from "../../../src/store/contract.js";
import type { SlotAnswer, SlotRequest } from "../../../src/store/slot-contract.js";
import { deferred } from "../../../src/util/deferred.js";
import { settle, VirtualTime } from "../../support/engine/virtual-time.js";

const place = { nodeId: "t", iteration: 0 };
const key = taskKey(place);

/** A ticket of a limiter whose database grants every request, the first time only when the test lets it. */
function takeTicket() {
  const asked: string[][][] = [];
  const first = deferred<SlotAnswer>();
  const take = (request: SlotRequest) => {
    const acquires = request.runs.flatMap((run) => run.acquires.map(({ limits }) => [...limits]));
    asked.push(acquires);
    if (asked.length === 1) return first.promise;
    const granted = acquires.map((limits) => ({ runId: "run", ...place, limits }));
    return { granted, retryAtMs: null };
  };
  const granted: (readonly string[])[] = [];
  const ticket = new SlotLimiter(() => {}).open({
    store: { changeToken: () => undefined, limits: { take } } as unknown as Store,
    lease: { runId: "run", ownerId: "owner", epoch: 1 },
    declared: {},
    clock: new VirtualTime(),
    heartbeatMs: Number.POSITIVE_INFINITY,
    taskCap: undefined,
    onGrant: (_key, limits) => granted.push(limits),
    onError: (error) => expect.unreachable(error.message),
  });
  onTestFinished(() => ticket.close());
  const grantFirst = () =>
    first.resolve({ granted: [{ runId: "run", ...place, limits: ["a"] }], retryAtMs: null });
  return { ticket, asked, granted, grantFirst };
}

it("a task that asks for another limit while the database is asked still gets what it asks for", async () => {
  const { ticket, asked, granted, grantFirst } = takeTicket();
  ticket.ask(key, ["a"]);
  await settle();
  ticket.ask(key, ["b"]);
  grantFirst();
  await settle();
  expect(asked).toEqual([[["a"]]]);
  // As the run does that has no use for it.
  ticket.leave(key);
  await settle();
  expect(asked).toEqual([[["a"]], [["b"]]]);
  expect(granted).toEqual([["a"], ["b"]]);
});

it("a task that asks for another limit before its run has heard of what it was given waits until that is left", async () => {
  const { ticket, asked, granted, grantFirst } = takeTicket();
  ticket.ask(key, ["a"]);
  await settle();
  grantFirst();
  await settle();
  ticket.ask(key, ["b"]);
  await settle();
  expect(granted).toEqual([["a"]]);
  ticket.leave(key);
  await settle();
  expect(asked).toEqual([[["a"]], [["b"]]]);
  expect(granted).toEqual([["a"], ["b"]]);
});

it("a task that asks again for what it was given is not given it twice", async () => {
  const { ticket, granted, grantFirst } = takeTicket();
  ticket.ask(key, ["a"]);
  await settle();
  grantFirst();
  await settle();
  ticket.ask(key, ["a"]);
  await settle();
  expect(granted).toEqual([["a"]]);
});
