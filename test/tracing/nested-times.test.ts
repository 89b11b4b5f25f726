import { expect, it } from "vitest";
import { startSpan } from "../../src/tracing/tracer.js";

it("what continues after the span around it has ended counts until then", () => {
  const attempt = startSpan({ name: "attempt", startMs: 10 });
  const call = startSpan({ name: "call", parent: attempt.context, startMs: 12 });
  const quick = startSpan({ name: "quick", parent: attempt.context, startMs: 12 });
  quick.end(15);
  attempt.end(20);
  call.end(99);
  expect([quick.endMs, attempt.endMs, call.endMs]).toEqual([15, 20, 20]);
});

it("nothing ends before it began", () => {
  const attempt = startSpan({ name: "attempt", startMs: 10 });
  attempt.end(5);
  expect(attempt.endMs).toBe(10);
});
