type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the members that are not there: absent and undefined differ for operations. */
export function given<T extends object>(body: T): Given<T> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Given<T>;
}
