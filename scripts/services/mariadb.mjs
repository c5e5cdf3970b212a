// MariaDB, from the packages of Debian or Ubuntu that this machine's apt knows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './cache.mjs';
import { debianPackage } from './debian-package.mjs';
import { freePort, unprivileged } from './local-process.mjs';
import { mariadbIsReady } from './ready.mjs';

export const mariadb = {
  variable: 'VERNAL_MARIADB_URL',
  docker: {
    image: 'mariadb:11.8',
    port: 3306,
    environment: { MARIADB_ALLOW_EMPTY_ROOT_PASSWORD: '1', MARIADB_DATABASE: 'test' },
  },
  isReady: mariadbIsReady,
  url: (port) => `mariadb://root@127.0.0.1:${port}/test`,
  owner: unprivileged,
  async local(folder, { durable }) {
    const usr = join(await debianPackage('mariadb-server-core'), 'usr');
    const command = join(usr, 'sbin', 'mariadbd');
    const options = { env: { ...process.env, LD_LIBRARY_PATH: join(usr, 'lib', 'x86_64-linux-gnu') } };
    const common = [
      '--no-defaults',
      `--basedir=${usr}`,
      `--datadir=${folder}`,
      `--tmpdir=${folder}`,
      `--plugin-dir=${join(usr, 'lib', 'mysql', 'plugin')}`,
      '--innodb-log-file-size=16M',
      '--innodb-buffer-pool-size=32M',
      '--aria-pagecache-buffer-size=8M',
      '--key-buffer-size=1M',
      '--skip-name-resolve',
    ];
    await bootstrap(usr, command, [...common, '--innodb-flush-method=nosync'], {
      ...options,
      ...unprivileged,
      cwd: folder,
    });
    const port = await freePort();
    const args = [
      ...common,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--socket=${join(folder, 'mariadb.sock')}`,
      `--innodb-flush-log-at-trx-commit=${durable ? 1 : 2}`,
      ...(durable ? [] : ['--innodb-flush-method=nosync']),
      '--performance-schema=off',
    ];
    const [version] = /[\d.]+/.exec((await output(command, ['--no-defaults', '--version'], options)).split('Ver')[1]);
    return { version: `MariaDB ${version}`, port, command, args, options };
  },
};

/** The system tables and the database `test`: what mariadb-install-db does, which wants programs of other packages. */
async function bootstrap(usr, command, args, options) {
  const sql = [
    'mysql_system_tables',
    'mysql_performance_tables',
    'mysql_system_tables_data',
    'maria_add_gis_sp_bootstrap',
  ];
  const input = [
    'create database mysql;\ncreate database test;\nuse mysql;',
    'set @auth_root_socket = null;',
    ...sql.map((name) => readFileSync(join(usr, 'share', 'mysql', `${name}.sql`), 'utf8')),
  ].join('\n');
  const bootstrapping = ['--bootstrap', '--max-allowed-packet=8M', '--net-buffer-length=16K'];
  await output(command, [...args, ...bootstrapping], { ...options, input });
}
