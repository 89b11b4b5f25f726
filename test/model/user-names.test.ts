import { expect, it } from "vitest";
import { isReservedName } from "../../src/model/user-names.js";

it.each([
  "gateway",
  " Gateway ",
  "\uff47ateway",
  "\uff27\uff21\uff34\uff25\uff37\uff21\uff39",
  "g\u0430teway",
  "gate\u200bway",
  "gate\u00adway",
  "g\u00e1teway",
  "\u{1d420}ateway",
  "service:auto",
  "service\uff1aauto",
  "\u0455ervice:auto",
  "t\u03bfken:ci",
  "cron\u2236gateway",
  "webhook :deploy",
])("nobody can have a name that looks like one of the host's: %j", (name) => {
  expect(isReservedName(name)).toBe(true);
});

it.each([
  "ana",
  "gateway-team",
  "Gateways",
  "tokens: mine",
  "\u0430\u043d\u043d\u0430",
  "Jos\u00e9",
  "ana@service",
  "\u738b",
])("others are names of users: %j", (name) => {
  expect(isReservedName(name)).toBe(false);
});
