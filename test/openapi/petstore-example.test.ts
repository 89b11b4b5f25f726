import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startPetstore } from "../../examples/openapi-petstore/server.js";
import { createOpenApiToolsSync, describeOperations, type OpenApiTool } from "../../src/openapi/index.js";

const spec = fileURLToPath(new URL("../../examples/openapi-petstore/spec.yaml", import.meta.url));

/** A petstore with its tools; `call` runs one of them. */
async function petstore({ value = "demo-key" } = {}) {
  const server = await startPetstore();
  onTestFinished(() => server.close());
  const tools = createOpenApiToolsSync(spec, {
    baseUrl: server.url,
    auth: { type: "apiKey", in: "header", name: "X-Store-Key", value },
  });
  const call = (name: string, input: Record<string, unknown> = {}) =>
    (tools[name] as OpenApiTool).execute(input);
  return { ...server, tools, call };
}

describe("the petstore of the examples", () => {
  it("has 20 operations that tools honour in full", async () => {
    const described = await describeOperations(spec);
    expect(described).toHaveLength(20);
    expect(described.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(described.every(({ callable }) => callable)).toBe(true);
  });

  it("sells a pet to a new owner, from the search to the shipment", async () => {
    const { call } = await petstore();
    expect(await call("search", { q: "indoor", price: { min: 50 } })).toMatchObject([
      { id: 1, name: "Tama" },
    ]);
    const owner = { name: "Grace", email: "grace@example.com", phone: null };
    expect(await call("addOwner", { body: owner })).toEqual({ ...owner, id: 2 });
    const lines = [
      { kind: "pet", petId: 1 },
      { kind: "goods", sku: "cat-food", quantity: 2 },
    ];
    const order = { body: { ownerId: 2, lines }, "Idempotency-Key": "k-1" };
    expect(await call("placeOrder", order)).toMatchObject({ id: 1, status: "placed" });
    expect(await call("placeOrder", order)).toMatchObject({ id: 1 });
    expect(await call("listPets", { status: "reserved" })).toMatchObject([{ id: 1 }]);
    expect(await call("getStock")).toMatchObject({ "cat-food": 10 });
    expect(await call("shipOrder", { orderId: 1 })).toMatchObject({ status: "shipped" });
    expect(await call("getPet", { petId: 1 })).toMatchObject({ status: "sold" });
    expect(await call("listOrders", { ownerId: 2, status: ["shipped", "cancelled"] })).toHaveLength(1);
    expect(await call("getOrder", { orderId: 1 })).toMatchObject({ ownerId: 2, lines });
  });

  it("keeps its books", async () => {
    const { call } = await petstore();
    expect(
      await call("addPet", { body: { name: "Kiki", species: "cat", price: 80, tags: ["shy"] } }),
    ).toMatchObject({ id: 4, status: "available" });
    expect(await call("updatePet", { petId: 4, body: { tags: ["shy", "indoor"] } })).toMatchObject({
      name: "Kiki",
    });
    expect(await call("listPets", { tags: ["shy", "indoor"], limit: 1 })).toMatchObject([{ id: 4 }]);
    const visit = { date: "2024-02-29", reason: "vaccination", weightKg: 3.2 };
    expect(await call("recordVisit", { petId: 4, body: visit })).toEqual(visit);
    expect(await call("listVisits", { petId: 4 })).toEqual([visit]);
    expect(await call("adjustStock", { sku: "leash", body: { by: -2, reason: null } })).toEqual({
      sku: "leash",
      count: 3,
    });
    expect(
      await call("replaceOwner", { ownerId: 1, body: { name: "Ada L.", email: "ada@example.com" } }),
    ).toMatchObject({ id: 1 });
    expect(await call("getOwner", { ownerId: 1 })).toMatchObject({ name: "Ada L." });
    expect(await call("removePet", { petId: 4 })).toBeNull();
    expect(await call("removeOwner", { ownerId: 1 })).toBeNull();
    expect(await call("listOwners")).toEqual([]);
  });

  it("says what its rules forbid in a way a model can read", async () => {
    const { call } = await petstore();
    await call("placeOrder", { body: { ownerId: 1, lines: [{ kind: "pet", petId: 2 }] } });
    expect(
      await call("placeOrder", { body: { ownerId: 1, lines: [{ kind: "pet", petId: 2 }] } }),
    ).toMatchObject({
      error: true,
      httpStatus: 409,
      message: 'HTTP 409 Conflict: {"detail":"Pet 2 is not available."}',
    });
    expect(await call("removeOwner", { ownerId: 1 })).toMatchObject({ httpStatus: 409 });
    expect(await call("cancelOrder", { orderId: 1 })).toMatchObject({ status: "cancelled" });
    expect(await call("getPet", { petId: 2 })).toMatchObject({ status: "available" });
    expect(await call("getPet", { petId: 99 })).toMatchObject({ httpStatus: 404 });
  });

  it("turns away who has no key", async () => {
    const { call } = await petstore({ value: "wrong-key" });
    expect(await call("getStock")).toMatchObject({ error: true, httpStatus: 401 });
  });

  it("takes no order that its description forbids", async () => {
    const { call, calls } = await petstore();
    await expect(call("placeOrder", { body: { ownerId: 1, lines: [] } })).rejects.toThrow(/body\.lines/);
    await expect(call("updatePet", { petId: 1, body: {} })).rejects.toThrow(/body/);
    await expect(call("updatePet", { petId: 1, body: { owner: 1 } })).rejects.toThrow(/owner/);
    expect(calls).toEqual([]);
  });
});
