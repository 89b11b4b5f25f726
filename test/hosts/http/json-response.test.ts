import { expect, it } from "vitest";
import { jsonResponse } from "../../../src/hosts/http/json-response.js";

it("an answer is a Response to programs that have a host's app without its server", async () => {
  const answer = jsonResponse({ text: "Grüße" }, { status: 201, headers: { Allow: "GET" } });
  expect(answer).toBeInstanceOf(Response);
  expect(answer.status).toBe(201);
  expect(Object.fromEntries(answer.headers)).toEqual({ allow: "GET", "content-type": "application/json" });
  const copy = answer.clone();
  expect(await answer.json()).toEqual({ text: "Grüße" });
  expect(await copy.text()).toBe('{"text":"Grüße"}');
});
