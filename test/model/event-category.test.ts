import { expect, it } from "vitest";
import { EVENT_CATEGORIES, isEventOf } from "../../src/model/event-category.js";
import { runEventTypes } from "../../src/model/events.js";

it.each(runEventTypes())("%s is of one category", (type) => {
  expect(EVENT_CATEGORIES.filter((category) => isEventOf(category, type))).toHaveLength(1);
});

it.each(EVENT_CATEGORIES)("the category %s has types of events", (category) => {
  expect(runEventTypes().some((type) => isEventOf(category, type))).toBe(true);
});
