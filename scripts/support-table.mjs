// Tables of what the suites of vector stores and of chat memory found: the whole ones of docs/vector-stores.md and docs/memory.md, and the short
// ones of the READMEs of stores.

/** Where a made table stands in a page. */
export const MADE = /(<!-- made by `node scripts\/support-matrix\.mjs --write` -->\n)[\s\S]*?(<!-- end -->)/;

const group = (id) => id.split('.')[1];

/** Those that only run where they differ have few cases. */
const isWhole = ({ cases }) => cases.length > 60;

function missing(cases) {
  return (
    cases
      .filter(({ id, outcome }) => outcome === 'not-declared' && !/undeclared/.test(id))
      .map(({ id }) => id.split('.').slice(1).join('.'))
      .join(', ') || 'nothing'
  );
}

function counted(cases) {
  const offered = cases.filter(({ outcome }) => outcome !== 'not-declared');
  if (offered.length === 0) return '–';
  return `${offered.filter(({ outcome }) => outcome === 'pass').length}/${offered.length}`;
}

const markdown = (rows) =>
  [rows[0], rows[0].map(() => '---'), ...rows.slice(1)].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** A row for each subject, a column for each group of cases: how many pass, of how many; then what it does not offer. */
export function supportTable(reports) {
  const whole = reports.filter(isWhole);
  const groups = [...new Set(whole.flatMap(({ cases }) => cases.map(({ id }) => group(id))))].sort();
  const rows = whole.map(({ subject, cases }) => [
    subject,
    ...groups.map((name) => counted(cases.filter(({ id }) => group(id) === name))),
    missing(cases),
  ]);
  return markdown([['store', ...groups, 'not offered'], ...rows]);
}

/** A row for each set-up of one class of stores; what deviates is named with its reason. */
export function setUpTable(reports, className) {
  const own = reports.filter(({ subject }) => subject.startsWith(className));
  const rows = own.map((report) => [
    report.subject.slice(className.length).replace(/^,? (?:on a server, )?/, '') || 'default',
    `${counted(report.cases)}${isWhole(report) ? '' : ', of what differs'}`,
    missing(report.cases),
    report.cases
      .filter(({ outcome }) => outcome === 'deviation')
      .map(({ id, reason }) => `${id}: ${reason}`)
      .join('; ') || 'nothing',
  ]);
  return markdown([['set-up', 'cases passed', 'not offered', 'deviates'], ...rows]);
}

/** A row for each engine, a column for each group of cases, and whether it was killed; what was not run against a server says so by its name. */
export function memoryTable(reports) {
  const own = reports.filter(({ suite }) => suite === 'memory');
  const whole = own.filter(({ cases }) => cases.some(({ id }) => id === 'memory.append.round-trip'));
  const groups = [...new Set(whole.flatMap(({ cases }) => cases.map(({ id }) => group(id))))].sort();
  // One class may have several set-ups, and is killed in one of them.
  const killed = (subject) =>
    own.find(
      (report) => / killed$/.test(report.subject) && subject.startsWith(report.subject.split(/, killed$| in a /)[0]),
    );
  const rows = whole.map(({ subject, cases }) => [
    subject,
    ...groups.map((name) => counted(cases.filter(({ id }) => group(id) === name))),
    killed(subject) === undefined ? '–' : counted(killed(subject).cases),
    missing(cases),
  ]);
  return markdown([['repository', ...groups, 'killed', 'not offered'], ...rows]);
}
