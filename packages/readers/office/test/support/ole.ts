/** A compound file with streams of these names and nothing in them, for what is told by names alone. */
export function ole(...names: readonly string[]): Uint8Array {
  const directories = Math.ceil((names.length + 1) / 4);
  const file = Buffer.alloc(512 * (2 + directories), 0);
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 44);
  file.writeUInt32LE(1, 48);
  file.fill(0xff, 76, 512);
  file.writeUInt32LE(0, 76);
  const table = 512;
  file.fill(0xff, table, table + 512);
  file.writeUInt32LE(0xfffffffd, table);
  for (let at = 1; at <= directories; at++)
    file.writeUInt32LE(at === directories ? 0xfffffffe : at + 1, table + at * 4);
  for (const [index, name] of ['Root Entry', ...names].entries()) {
    const entry = 1_024 + index * 128;
    file.write(name, entry, 'utf16le');
    file.writeUInt16LE((name.length + 1) * 2, entry + 64);
    file.writeUInt8(index === 0 ? 5 : 2, entry + 66);
  }
  return new Uint8Array(file);
}
