import { expect, it } from "vitest";
import { z } from "zod";
import { JsonDispatcher } from "../support/elsewhere/json-dispatcher.js";
import { openScene } from "../support/engine/scene.js";

it("the tests of this project have stores that answer late, and attempts that travel as JSON", async () => {
  const { store, services } = openScene({ row: z.object({ n: z.number() }) });
  const prepared = store.prepare();
  expect(prepared).toBeInstanceOf(Promise);
  await prepared;
  expect(services.dispatcher).toBeInstanceOf(JsonDispatcher);
});
