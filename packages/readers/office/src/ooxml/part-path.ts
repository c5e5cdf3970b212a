/** Where a target leads to, seen from a part; '' is the package. Nothing leads out of it. */
export function partPath(from: string, target: string): string {
  const path = target.replace(/[?#].*$/, '').replaceAll('\\', '/');
  const segments = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(decoded(segment));
  }
  return segments.join('/');
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The part that holds the relationships of another. */
export function relationshipsPath(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}
