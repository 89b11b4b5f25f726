import { expect, it } from "vitest";
import { openConsole, sees } from "./support/scene.js";

it("says of a gateway without workflows how it gets one, and offers none", async () => {
  const { page, open, complaints } = await openConsole({ register: () => {} });
  await sees(page, "This gateway has no workflow yet");
  expect(await page.getByRole("link", { name: "workflows of this gateway" }).count()).toBe(0);
  await page.getByRole("link", { name: "how it gets one" }).click();
  await sees(page, ".service/workflows");
  await open("/status");
  await sees(page, "None yet: each workflow brings its own.");
  expect(complaints).toEqual([]);
});
