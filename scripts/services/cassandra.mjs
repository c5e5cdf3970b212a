// Apache Cassandra, from Maven: one node, started as its own scripts do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { java17, smallMachine } from './java.mjs';
import { freePort } from './local-process.mjs';
import { mavenJars } from './maven-jars.mjs';
import { fileNamed } from './python-wheel.mjs';
import { cassandraIsReady } from './ready.mjs';

const version = '5.0.5';

export const cassandra = {
  variable: 'VERNAL_CASSANDRA_URL',
  docker: { image: 'cassandra:5', port: 9042, environment: { MAX_HEAP_SIZE: '768M', HEAP_NEWSIZE: '128M' } },
  isReady: cassandraIsReady,
  url: (port) => `cassandra://127.0.0.1:${port}?localDataCenter=datacenter1`,
  async local(folder, { durable }) {
    const command = await java17();
    const jars = await mavenJars(`org.apache.cassandra:cassandra-all:${version}`);
    const port = await freePort();
    const settings = configuration(folder, port, await freePort(), durable);
    // YAML is a superset of JSON.
    writeFileSync(join(folder, 'cassandra.yaml'), JSON.stringify(settings, undefined, 2));
    writeFileSync(join(folder, 'logback.xml'), logging);
    const properties = {
      'cassandra.config': `file://${folder}/cassandra.yaml`,
      'cassandra.storagedir': folder,
      'cassandra.logdir': folder,
      'cassandra-foreground': 'yes',
      // Nobody else is in this ring.
      'cassandra.skip_wait_for_gossip_to_settle': 0,
      'cassandra.ring_delay_ms': 0,
      'cassandra.initial_token': 0,
      'java.net.preferIPv4Stack': true,
      'jdk.attach.allowAttachSelf': true,
      'io.netty.tryReflectionSetAccessible': true,
      'logback.configurationFile': `file://${folder}/logback.xml`,
    };
    const args = [
      ...smallMachine({ megabytes: 768 }),
      `-javaagent:${fileNamed(jars, /\/jamm-[\d.]+\.jar$/)}`,
      ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
      ...exported.map((name) => `--add-exports=${name}=ALL-UNNAMED`),
      ...opened.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
      ...['-cp', join(jars, '*'), 'org.apache.cassandra.service.CassandraDaemon'],
    ];
    return { version: `Cassandra ${version}`, port, command, args, options: { timeoutMs: 120_000 } };
  },
};

function configuration(folder, port, storagePort, durable) {
  return {
    cluster_name: 'vernal',
    partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner',
    num_tokens: 1,
    seed_provider: [
      {
        class_name: 'org.apache.cassandra.locator.SimpleSeedProvider',
        parameters: [{ seeds: `127.0.0.1:${storagePort}` }],
      },
    ],
    endpoint_snitch: 'SimpleSnitch',
    listen_address: '127.0.0.1',
    rpc_address: '127.0.0.1',
    storage_port: storagePort,
    native_transport_port: port,
    data_file_directories: [join(folder, 'data')],
    commitlog_directory: join(folder, 'commitlog'),
    hints_directory: join(folder, 'hints'),
    saved_caches_directory: join(folder, 'saved_caches'),
    cdc_raw_directory: join(folder, 'cdc_raw'),
    ...(durable ? { commitlog_sync: 'batch' } : { commitlog_sync: 'periodic', commitlog_sync_period: '10000ms' }),
    commitlog_segment_size: '8MiB',
    auto_snapshot: false,
    storage_compatibility_mode: 'NONE',
  };
}

const logging = `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %date %logger{0} - %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="STDOUT"/></root>
</configuration>
`;

/** What jvm17-server.options opens to it. */
const exported = [
  ...['jdk.internal.misc', 'jdk.internal.ref', 'sun.nio.ch'].map((name) => `java.base/${name}`),
  'java.management.rmi/com.sun.jmx.remote.internal.rmi',
  ...['registry', 'server', 'transport.tcp'].map((name) => `java.rmi/sun.rmi.${name}`),
  'java.sql/java.sql',
];
const opened = [
  ...['lang', 'lang.module', 'lang.reflect', 'io', 'nio', 'util', 'util.concurrent', 'util.concurrent.atomic'].map(
    (name) => `java.base/java.${name}`,
  ),
  ...['loader', 'ref', 'reflect', 'math', 'module', 'util.jar'].map((name) => `java.base/jdk.internal.${name}`),
  'java.base/sun.nio.ch',
  'jdk.management/com.sun.management.internal',
];
