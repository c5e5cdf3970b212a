// Servers that are published as Maven artifacts: their jars, downloaded once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, output } from './cache.mjs';

/** The folder that holds an artifact, `group:name:version`, and what it needs at run time. */
export function mavenJars(artifact) {
  const [group, name, version] = artifact.split(':');
  return cached(`maven-${name}-${version}`, async (work) => {
    const pom = join(work, 'pom.xml');
    writeFileSync(
      pom,
      `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>vernal</groupId><artifactId>services</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`,
    );
    // Maven remembers for a day that a download failed, but for -U.
    const options = ['-B', '-q', '-U', '-f', pom, '-Dmaven.wagon.http.retryHandler.count=3', '-Dmaven.wagon.rto=60000'];
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:2.8';
    const goal = [`${plugin}:copy-dependencies`, '-DincludeScope=runtime', `-DoutputDirectory=${work}`];
    await output('mvn', [...options, ...goal], { cwd: work, timeoutMs: 600_000 });
  });
}
