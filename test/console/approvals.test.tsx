/** @jsxImportSource react */
import "../react/support/dom.js";
import { cleanup, fireEvent, render, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/client/node.js";
import { Approvals } from "../../src/console/Approvals.js";
import { ClientProvider } from "../../src/react/index.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { asking } from "../hosts/gateway/support/workflows.js";

afterEach(cleanup);

const PATIENT = { timeout: 60_000 };

/** The list of what waits, of a gateway with one run that asks. */
async function shownRequest() {
  const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
  const client = createClient({ url: gateway.url });
  onTestFinished(() => client.close());
  const { runId } = await client.launchRun({ workflow: "ask" });
  await gateway.until(runId, "waiting-approval");
  const page = render(
    <ClientProvider client={client}>
      <Approvals filter={{}} heading="Waits" />
    </ClientProvider>,
  );
  const form = within(await page.findByRole("form", { name: "Go?" }, PATIENT));
  return { client, runId, page, form };
}

describe("what waits on the operator's page", () => {
  it("is approved with a note, and says that the answer was kept", async () => {
    const { client, runId, page, form } = await shownRequest();
    fireEvent.change(form.getByLabelText("Note (optional)"), { target: { value: "looks right" } });
    fireEvent.click(form.getByRole("button", { name: "✓ Approve" }));
    await page.findByText(/Your answer to “Go\?” has been kept/, {}, PATIENT);
    await waitFor(async () => {
      const { output } = await client.getNode({ runId, nodeId: "gate" });
      expect(output).toMatchObject({ approved: true, note: "looks right" });
    }, PATIENT);
  });

  it("is denied only after a second word that names the request and its run", async () => {
    const { client, runId, form } = await shownRequest();
    fireEvent.click(form.getByRole("button", { name: "✗ Deny…" }));
    expect(form.getByRole("group", { name: `Deny “Go?” of run ${runId}?` })).toBeDefined();
    fireEvent.click(form.getByRole("button", { name: "✗ Yes, deny" }));
    await waitFor(async () => expect((await client.getRun({ runId })).status).toBe("failed"), PATIENT);
  });

  it("does not just vanish when another person decides it", async () => {
    const { client, runId, page } = await shownRequest();
    await client.submitApproval({ runId, nodeId: "gate", approved: true });
    await page.findByText(/“Go\?” waits no more: another person decided it/, {}, PATIENT);
    fireEvent.click(page.getByRole("button", { name: "Dismiss" }));
    expect(page.queryByText(/waits no more/)).toBeNull();
  });
});
