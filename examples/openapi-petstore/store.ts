/** What the petstore knows, and its rules. Everything is in memory; ids count up from 1. */

export interface Pet {
  id: number;
  name: string;
  species: string;
  price: number;
  status: "available" | "reserved" | "sold";
  tags: string[];
}

export interface Owner {
  id: number;
  name: string;
  email: string;
  phone?: string | null;
}

export type OrderLine = { kind: "pet"; petId: number } | { kind: "goods"; sku: string; quantity: number };

export interface Order {
  id: number;
  ownerId: number;
  status: "placed" | "shipped" | "cancelled";
  lines: OrderLine[];
}

/** A rule of the store that a request breaks, with the HTTP status that says so. */
export class StoreProblem extends Error {
  readonly httpStatus: number;

  constructor(httpStatus: number, detail: string) {
    super(detail);
    this.httpStatus = httpStatus;
  }
}

export class PetStore {
  readonly pets = new Map<number, Pet>();
  readonly owners = new Map<number, Owner>();
  readonly orders = new Map<number, Order>();
  readonly visits = new Map<number, unknown[]>();
  readonly stock = new Map([
    ["leash", 5],
    ["cat-food", 12],
    ["bowl", 3],
  ]);
  readonly #ordersByKey = new Map<string, Order>();

  constructor() {
    this.addPet({ name: "Tama", species: "cat", price: 120, tags: ["calm", "indoor"] });
    this.addPet({ name: "Rex", species: "dog", price: 300, tags: ["guard"] });
    this.addPet({ name: "Pip", species: "bird", price: 35, tags: ["indoor"] });
    this.addOwner({ name: "Ada", email: "ada@example.com" });
  }

  addPet(pet: Omit<Pet, "id" | "status" | "tags"> & { tags?: string[] }): Pet {
    const added: Pet = { ...pet, id: this.pets.size + 1, status: "available", tags: pet.tags ?? [] };
    this.pets.set(added.id, added);
    return added;
  }

  removePet(id: number): void {
    const pet = found(this.pets, id, "pet");
    if (pet.status === "sold") throw new StoreProblem(409, `Pet ${id} is sold.`);
    this.pets.delete(id);
  }

  addOwner(owner: Omit<Owner, "id">): Owner {
    const added = { ...owner, id: this.owners.size + 1 };
    this.owners.set(added.id, added);
    return added;
  }

  removeOwner(id: number): void {
    found(this.owners, id, "owner");
    const isOpen = [...this.orders.values()].some(
      ({ ownerId, status }) => ownerId === id && status === "placed",
    );
    if (isOpen) throw new StoreProblem(409, `Owner ${id} has open orders.`);
    this.owners.delete(id);
  }

  /** Orders all lines or none. The same `key` gives the order it gave before. */
  placeOrder(ownerId: number, lines: OrderLine[], key: string | undefined): Order {
    const earlier = key === undefined ? undefined : this.#ordersByKey.get(key);
    if (earlier !== undefined) return earlier;
    found(this.owners, ownerId, "owner");
    for (const line of lines) this.#checkLine(line);
    for (const line of lines) this.#applyLine(line, "reserved", -1);
    const order: Order = { id: this.orders.size + 1, ownerId, status: "placed", lines };
    this.orders.set(order.id, order);
    if (key !== undefined) this.#ordersByKey.set(key, order);
    return order;
  }

  closeOrder(id: number, status: "shipped" | "cancelled"): Order {
    const order = found(this.orders, id, "order");
    if (order.status !== "placed") throw new StoreProblem(409, `Order ${id} is ${order.status}.`);
    order.status = status;
    for (const line of order.lines) {
      if (status === "cancelled") this.#applyLine(line, "available", 1);
      else if (line.kind === "pet") found(this.pets, line.petId, "pet").status = "sold";
    }
    return order;
  }

  adjustStock(sku: string, by: number): { sku: string; count: number } {
    const count = found(this.stock, sku, "article") + by;
    if (count < 0) throw new StoreProblem(409, `There are not enough of ${sku}.`);
    this.stock.set(sku, count);
    return { sku, count };
  }

  #checkLine(line: OrderLine): void {
    if (line.kind === "goods") {
      if (found(this.stock, line.sku, "article") < line.quantity) {
        throw new StoreProblem(409, `There are not enough of ${line.sku}.`);
      }
    } else if (found(this.pets, line.petId, "pet").status !== "available") {
      throw new StoreProblem(409, `Pet ${line.petId} is not available.`);
    }
  }

  #applyLine(line: OrderLine, status: Pet["status"], sign: 1 | -1): void {
    if (line.kind === "pet") found(this.pets, line.petId, "pet").status = status;
    else this.adjustStock(line.sku, sign * line.quantity);
  }
}

/** The entry of a map. Throws a StoreProblem 404 when there is none. */
export function found<K, V>(entries: ReadonlyMap<K, V>, id: K, kind: string): V {
  const entry = entries.get(id);
  if (entry === undefined) throw new StoreProblem(404, `There is no ${kind} ${id}.`);
  return entry;
}
