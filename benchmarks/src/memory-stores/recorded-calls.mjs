// What a repository asks of its driver is written down once, and done again for other conversations without the repository: the floor.

/** A client that does all that `client` does, and writes down which of `methods` were called, and with what. */
export function listening(client, methods, calls) {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args) => {
        if (methods.includes(name)) calls.push({ method: name, args });
        return value.apply(target, args);
      };
    },
  });
}

/** The same value with another conversation's id in it, however deep it lies; what belongs to a driver stays as it is. */
export function readdressed(value, from, to) {
  if (typeof value === 'string') return value.includes(from) ? value.replaceAll(from, to) : value;
  if (Array.isArray(value)) return value.map((one) => readdressed(one, from, to));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy = {};
  for (const name in value) copy[name] = readdressed(value[name], from, to);
  return copy;
}
