/**
 * Stands for an object that `create` makes at the first access to it. Members of
 * `known` are answered without making it. `onUse` is called before each access.
 */
export function lazyObject<T extends object>(create: () => T, known: object = {}, onUse = () => {}): T {
  let made: T | undefined;
  const real = () => {
    made ??= create();
    onUse();
    return made;
  };
  return new Proxy({} as T, {
    get: (_target, key) =>
      Object.hasOwn(known, key) ? Reflect.get(known, key) : Reflect.get(real(), key, made),
    set: (_target, key, value) => Reflect.set(real(), key, value, made),
    has: (_target, key) => Object.hasOwn(known, key) || Reflect.has(real(), key),
    ownKeys: () => Reflect.ownKeys(real()),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
    getOwnPropertyDescriptor: (_target, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(real(), key);
      // A proxy may only report members that its own target could lose again.
      return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
    },
  });
}
