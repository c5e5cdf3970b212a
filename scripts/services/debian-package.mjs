// Servers that are Debian packages (Ubuntu's too): downloaded and unpacked into a folder, never installed. No root, and apt's own lists of
// the machine stay as they are.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cached, output } from './cache.mjs';

/** The folder of a package, unpacked with those libraries it names that the machine lacks. */
export function debianPackage(name) {
  return cached(`debian-${name}`, async (work) => {
    const lists = join(work, 'apt');
    for (const folder of ['lists/partial', 'cache/archives/partial', 'debs'])
      mkdirSync(join(lists, folder), { recursive: true });
    const own = ['-q', '-o', `Dir::State::lists=${lists}/lists`, '-o', `Dir::Cache=${lists}/cache`];
    // As root apt reads as another user, who may not enter here.
    const options = [...own, '-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=2', '-o', 'Debug::NoLocking=1'];
    await output('apt-get', [...options, 'update', '--error-on=any']);
    const depends = await output('apt-cache', [...options, 'depends', '--important', name]);
    const libraries = [...depends.matchAll(/^\s*Depends: (lib[\w.+-]+)$/gm)].map(([, library]) => library);
    const installed = await output('dpkg-query', ['-W']);
    const names = new Set([...installed.matchAll(/^([^:\t]+).*\t\S/gm)].map(([, one]) => one));
    const missing = libraries.filter((library) => !names.has(library));
    await output('apt-get', [...options, 'download', name, ...missing], { cwd: join(lists, 'debs') });
    for (const file of readdirSync(join(lists, 'debs'))) await output('dpkg', ['-x', join(lists, 'debs', file), work]);
    rmSync(lists, { recursive: true });
  });
}
