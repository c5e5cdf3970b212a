/** Networks that are not the public internet, as [first address, prefix length]. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

/** Names that mean this machine or this network wherever they are asked. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

/**
 * True for hosts of this machine and of private networks: loopback, private, link-local, shared, multicast and reserved addresses in any
 * spelling, IPv6 forms that carry an IPv4 address included, and names such as `localhost`, `*.internal` or a bare `db`.
 *
 * @param hostname - as `URL.hostname` gives it, which has turned decimal, octal and hex IPv4 into dots
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
  const ipv4 = ipv4Of(hostname);
  if (ipv4 !== undefined) return isPrivateIpv4(ipv4);
  const name = hostname.replace(/\.$/, '').toLowerCase();
  return !name.includes('.') || PRIVATE_NAMES.test(name);
}

function isPrivateIpv4(address: number): boolean {
  return PRIVATE_IPV4.some(([network, length]) => {
    const shift = 32 - length;
    return Math.floor(address / 2 ** shift) === Math.floor((ipv4Of(network) ?? 0) / 2 ** shift);
  });
}

function ipv4Of(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  return match?.slice(1).reduce((address, octet) => address * 256 + Number(octet), 0);
}

function isPrivateIpv6(text: string): boolean {
  const groups = ipv6Groups(text);
  const [first = 0, second = 0] = groups;
  const zeros = groups.findIndex((group) => group !== 0);
  const tail = (groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0);
  // ::, ::1 and ::a.b.c.d; ::ffff:a.b.c.d; ::ffff:0:a.b.c.d
  if (zeros === -1 || zeros >= 6) return true;
  if ((zeros === 5 && groups[5] === 0xffff) || (zeros === 4 && groups[4] === 0xffff)) return isPrivateIpv4(tail);
  // Translation to IPv4: 64:ff9b::/96 well known, 64:ff9b:1::/48 local; 2002::/16 carries the address in front; Teredo 2001::/32.
  if (first === 0x64 && second === 0xff9b) return groups[2] !== 0 || isPrivateIpv4(tail);
  if (first === 0x2002) return isPrivateIpv4(second * 0x10000 + (groups[2] ?? 0));
  if (first === 0x2001 && second === 0) return true;
  // Only 2000::/3 is the public internet: unique local, link-local, site-local and multicast lie outside of it.
  return first < 0x2000 || first > 0x3fff;
}

/** Eight numbers of an address as `URL` writes it: lower-case hex, at most one '::'. */
function ipv6Groups(text: string): readonly number[] {
  const [head = '', tail] = text.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  return [...left, ...new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
