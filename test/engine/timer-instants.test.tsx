import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type ServiceWorkflow } from "../../src/index.js";
import { testWorkflow, VirtualClock } from "../../src/testing/index.js";

const HOUR_MS = 3_600_000;
/** New York went to summer time at this moment: 02:00 became 03:00. */
const SPRING = Date.UTC(2026, 2, 8, 7);
/** And back: 02:00 became 01:00, so that every time between the two came twice. */
const AUTUMN = Date.UTC(2026, 10, 1, 6);

function inNewYork() {
  const before = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  onTestFinished(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
  expect(new Date(SPRING).getHours(), "the time zone is in force").toBe(3);
}

function sleeping(props: { until: Date | string } | { duration: string | number }): ServiceWorkflow {
  const { Workflow, Timer, service } = createService({}, { dbPath: ":memory:" });
  return service(() => (
    <Workflow name="sleeping">
      <Timer id="nap" {...props} />
    </Workflow>
  ));
}

/** When a timer fires in a run that starts a day before `change`, in epoch ms. */
async function firesAt(props: Parameters<typeof sleeping>[0], change: number): Promise<number[]> {
  const clock = new VirtualClock(change - 24 * HOUR_MS);
  const test = testWorkflow(sleeping(props), { clock });
  await test.run();
  await test.advance("2d");
  expect(test.result.status).toBe("finished");
  return (await test.events()).flatMap(({ event }) => (event.type === "TimerFired" ? [event.firedAtMs] : []));
}

describe("a timer, where the clocks change", () => {
  it.each([
    ["an hour before", "2026-03-08T01:00:00-05:00", SPRING - HOUR_MS],
    ["an hour after", "2026-03-08T04:00:00-04:00", SPRING + HOUR_MS],
    ["at a time that no clock shows there", "2026-03-08T02:30:00-05:00", SPRING + HOUR_MS / 2],
    ["told in UTC", "2026-03-08T08:00:00Z", SPRING + HOUR_MS],
    ["told by another place", "2026-03-08T09:00:00+01:00", SPRING + HOUR_MS],
  ])("fires at its instant: %s, %s", async (_name, until, instant) => {
    inNewYork();
    expect(await firesAt({ until }, SPRING)).toEqual([instant]);
    expect(await firesAt({ until: new Date(instant) }, SPRING)).toEqual([instant]);
  });

  it("tells the two hours of the same name apart", async () => {
    inNewYork();
    expect(await firesAt({ until: "2026-11-01T01:30:00-04:00" }, AUTUMN)).toEqual([AUTUMN - HOUR_MS / 2]);
    expect(await firesAt({ until: "2026-11-01T01:30:00-05:00" }, AUTUMN)).toEqual([AUTUMN + HOUR_MS / 2]);
  });

  it.each([SPRING, AUTUMN])("lets a duration pass in full", async (change) => {
    inNewYork();
    expect(await firesAt({ duration: "1.5d" }, change)).toEqual([change + 12 * HOUR_MS]);
    expect(await firesAt({ duration: 25 * HOUR_MS }, change)).toEqual([change + HOUR_MS]);
  });
});
