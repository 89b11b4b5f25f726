import { isPlainObject } from "../../util/same-data.js";

/** One entry of a classifier's answer. Without an id, its place in the list says which item it is about. */
export interface Classification {
  readonly category: string;
  readonly itemId?: string | number | null | undefined;
}

/** An item with what it is known by. */
export interface RoutableItem {
  readonly itemId: string;
  readonly item: unknown;
}

/** Where an item goes. */
export interface Assignment extends RoutableItem {
  readonly category: string;
}

/** Items by their field `id`, else by their place in the list. */
export function routableItems(items: readonly unknown[]): RoutableItem[] {
  return items.map((item, index) => {
    const id = isPlainObject(item) ? item["id"] : undefined;
    const isId = (typeof id === "string" && id !== "") || typeof id === "number";
    return { itemId: isId ? String(id) : String(index), item };
  });
}

export function isClassificationList(value: unknown): value is readonly Classification[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => isPlainObject(entry) && typeof entry["category"] === "string")
  );
}

/** Each item's category, in the order of the items, and in words what keeps an item from having one. */
export function assignItems(
  classifications: readonly Classification[],
  items: readonly RoutableItem[],
  categories: readonly string[],
): { routes: Assignment[]; problems: string[] } {
  const problems: string[] = [];
  const chosen = new Map<string, string>();
  for (const [index, { category, itemId }] of classifications.entries()) {
    const id = itemId == null ? items[index]?.itemId : String(itemId);
    if (id === undefined || !items.some((item) => item.itemId === id)) {
      problems.push(`there is no item ${JSON.stringify(id ?? index)}`);
    } else if (!categories.includes(category)) {
      problems.push(
        `the category ${JSON.stringify(category)} of item ${id} is none of ${categories.join(", ")}`,
      );
    } else if (chosen.has(id)) {
      problems.push(`item ${id} is classified twice`);
    } else {
      chosen.set(id, category);
    }
  }
  const routes = items.flatMap((item) => {
    const category = chosen.get(item.itemId);
    return category === undefined ? [] : [{ ...item, category }];
  });
  if (problems.length === 0) {
    for (const { itemId } of items) if (!chosen.has(itemId)) problems.push(`item ${itemId} has no category`);
  }
  return { routes, problems };
}
