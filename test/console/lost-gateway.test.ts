import { expect, it, onTestFinished } from "vitest";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { choosing } from "./support/release.js";
import { openConsole } from "./support/scene.js";

it("keeps what it shows and what is half written while the gateway is away, says so, and recovers by itself", async () => {
  const { page, run, open, gateway } = await openConsole({
    register: (gateway, folder) => gateway.register("choose", choosing(folder)),
  });
  const runId = await run("choose", "waiting-approval");
  await open("/inbox");
  const note = page.getByLabel("Note (optional)");
  await note.fill("half a sen");
  await page.getByLabel("Europe").check();
  await gateway.gateway.close();
  const banner = page.getByText(/The gateway cannot be reached. Stale since/);
  await banner.waitFor();
  expect(await note.inputValue()).toBe("half a sen");
  const again = await openGateway((gateway, folder) => gateway.register("choose", choosing(folder)), {
    folder: gateway.folder,
    listen: { port: Number(new URL(gateway.url).port) },
  });
  onTestFinished(() => again.gateway.close());
  await banner.waitFor({ state: "detached" });
  expect(await note.inputValue()).toBe("half a sen");
  await page.getByRole("button", { name: "Approve" }).click();
  await again.until(runId, "finished");
});
