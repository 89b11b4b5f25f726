import { expect, it } from "vitest";
import { SlotDesk } from "../../../src/engine/slots/slot-desk.js";
import { taskKey } from "../../../src/model/address.js";
import type { Store } from "../../../src/store/contract.js";
import type { SlotAnswer, SlotRequest } from "../../../src/store/slot-contract.js";
import { deferred } from "../../../src/util/deferred.js";
import { settle, VirtualTime } from "../../support/engine/virtual-time.js";

it("a task that asks for another limit while the database is asked still gets what it asks for", async () => {
  const place = { nodeId: "t", iteration: 0 };
  const key = taskKey(place);
  const asked: string[][][] = [];
  const first = deferred<SlotAnswer>();
  const take = (request: SlotRequest) => {
    const wishes = request.runs.flatMap((run) => run.wishes.map(({ limits }) => [...limits]));
    asked.push(wishes);
    if (asked.length === 1) return first.promise;
    const granted = wishes.map((limits) => ({ runId: "run", ...place, limits }));
    return { granted, retryAtMs: null };
  };
  const granted: (readonly string[])[] = [];
  const seat = new SlotDesk(() => {}).open({
    store: { changeToken: () => undefined, limits: { take } } as unknown as Store,
    lease: { runId: "run", ownerId: "owner", epoch: 1 },
    declared: {},
    clock: new VirtualTime(),
    heartbeatMs: Number.POSITIVE_INFINITY,
    taskCap: undefined,
    onGrant: (_key, limits) => granted.push(limits),
    onError: (error) => expect.unreachable(error.message),
  });
  seat.ask(key, ["a"]);
  await settle();
  seat.ask(key, ["b"]);
  first.resolve({ granted: [{ runId: "run", ...place, limits: ["a"] }], retryAtMs: null });
  await settle();
  expect(asked).toEqual([[["a"]]]);
  // As the run does that has no use for it.
  seat.leave(key);
  await settle();
  expect(asked).toEqual([[["a"]], [["b"]]]);
  expect(granted).toEqual([["a"], ["b"]]);
  seat.close();
});
