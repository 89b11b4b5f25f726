import { expect, it } from "vitest";
import { namespaceText } from "../../src/model/memory-namespace.js";
import fc from "../support/property-tests.js";
import { memoryInTest } from "./support/store.js";

it.each([
  [{ kind: "workflow", id: "essay" }, "workflow:essay"],
  [{ kind: "user", id: "ada:1" }, "user:ada%3A1"],
  [{ kind: "agent", id: "100%" }, "agent:100%25"],
  [{ kind: "global", id: "a\nb" }, "global:a%0Ab"],
  [{ kind: "user", id: "José 猫" }, "user:José 猫"],
  ["user:ada%3a1", "user:ada%3A1"],
  ["user:%41da", "user:Ada"],
])("%j is %s", (namespace, text) => {
  expect(namespaceText(namespace)).toBe(text);
});

it("a namespace and its text are the same, and no two namespaces have one text", () => {
  const namespaces = fc.record({
    kind: fc.constantFrom("workflow", "agent", "user", "global"),
    id: fc.string({ minLength: 1, unit: "binary" }),
  });
  fc.assert(
    fc.property(namespaces, namespaces, (one, other) => {
      const text = namespaceText(one);
      expect(namespaceText(text)).toBe(text);
      const isSame = one.kind === other.kind && one.id === other.id;
      expect(text === namespaceText(other)).toBe(isSame);
    }),
  );
});

it.each([
  ["tenant:ada", /kind has to be one of workflow, agent, user, global/],
  [{ kind: "tenant", id: "a" }, /kind has to be one of/],
  ["ada", /expected `kind:id`/],
  ["user:", /its id is empty/],
  ["user:ada:1", /percent-escaped: user:ada%3A1/],
  ["user:100%", /percent-escaped: user:100%25/],
  ["user:%ff", /no UTF-8/],
  [{ kind: "user", id: "x".repeat(513) }, /longer than 512/],
  [{ kind: "user", id: "\ud800" }, /half a character/],
  [undefined, /expected `kind:id`/],
  [{ kind: "user" }, /expected `kind:id`/],
])("%j is refused", async (namespace, message) => {
  const { memory } = memoryInTest();
  const refusal = await memory.setFact(namespace as never, "k", 1).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(message) });
});
