import type { Driver } from "./driver.js";

interface Shared {
  driver: Promise<Driver>;
  users: number;
}

/** The drivers of this process: handles of one database have one between them, which is closed with the last. */
const drivers = new Map<string | symbol, Shared>();

/** @param key the same for handles that connect alike */
export async function shareDriver(key: string | symbol, open: () => Promise<Driver>): Promise<Driver> {
  const shared = drivers.get(key) ?? { driver: open(), users: 0 };
  drivers.set(key, shared);
  shared.users += 1;
  const leave = () => {
    shared.users -= 1;
    if (shared.users === 0) drivers.delete(key);
  };
  try {
    return lent(await shared.driver, { leave, isLast: () => shared.users === 0 });
  } catch (error) {
    leave();
    throw error;
  }
}

/** The driver as one of its users has it. */
function lent(driver: Driver, { leave, isLast }: { leave(): void; isLast(): boolean }): Driver {
  let isClosed = false;
  return {
    withSession: (body) => driver.withSession(body),
    listen: (channel, listener) => driver.listen(channel, listener),
    async close() {
      if (isClosed) return;
      isClosed = true;
      leave();
      if (isLast()) await driver.close();
    },
  };
}
