/** As they stand in the file, prefixes included. */
export type Attributes = Readonly<Record<string, string>>;

/** Without its prefix: which one a namespace has is the writer's choice. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** By its name without a prefix; one without a prefix comes first. */
export function attribute(attributes: Attributes, local: string): string | undefined {
  const plain = attributes[local];
  if (plain !== undefined) return plain;
  for (const name in attributes) {
    if (name.endsWith(local) && name.charCodeAt(name.length - local.length - 1) === 58) return attributes[name];
  }
  return undefined;
}

/** A whole number, at least `least`; `otherwise` where there is none. */
export function countAttribute(attributes: Attributes, local: string, otherwise: number, least = 0): number {
  const value = Number(attribute(attributes, local) ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= least ? value : otherwise;
}

/** The value of `r:id`, whatever the prefix of relationships is; `id` itself is something else. */
export function relationshipId(attributes: Attributes): string | undefined {
  const usual = attributes['r:id'];
  if (usual !== undefined) return usual;
  for (const name in attributes) if (name.endsWith(':id') && !name.startsWith('w:')) return attributes[name];
  return undefined;
}

/** `<b/>` and `<b val="1"/>` are on, `<b val="0"/>`, `false` and `off` are not. */
export function isOn(attributes: Attributes): boolean {
  return !['0', 'false', 'off'].includes(attribute(attributes, 'val') ?? '1');
}
