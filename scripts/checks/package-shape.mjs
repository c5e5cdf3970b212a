// What every published package has in common.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from '../workspace.mjs';

export default function packageShape() {
  const problems = [];
  for (const { path, folder, name, manifest } of publicPackages()) {
    const wants = (condition, what) => condition || problems.push(`${folder}: ${what}`);
    wants(manifest.type === 'module', 'type is not module');
    wants(manifest.sideEffects === false, 'sideEffects is not false');
    wants(manifest.engines?.node === '>=20.19', 'engines.node is not >=20.19');
    wants(manifest.license === 'Apache-2.0', 'license is not Apache-2.0');
    wants(typeof manifest.description === 'string', 'has no description');
    wants(
      !manifest.scripts?.postinstall && !manifest.scripts?.install && !manifest.scripts?.prepare,
      'has an install script',
    );
    wants(existsSync(join(path, 'README.md')), 'has no README.md');
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue;
      const published = manifest.publishConfig?.exports?.[entry];
      wants(
        published && !('@vernal/source' in published),
        `the entry ${entry} is not stripped of its sources in publishConfig`,
      );
      wants(
        JSON.stringify(Object.keys(published ?? {})) === '["types","default"]',
        `the entry ${entry} must list types, then default`,
      );
    }
    if (existsSync(join(path, 'README.md'))) {
      const readme = readFileSync(join(path, 'README.md'), 'utf8');
      wants(
        readme.includes(`npm install ${name}`) ||
          readme.includes(`npx ${name}`) ||
          readme.includes(`npm install --save-dev ${name}`),
        'README.md does not say how to install it',
      );
      wants(/^```ts$/m.test(readme) || manifest.bin, 'README.md has no example');
    }
  }
  return problems;
}
