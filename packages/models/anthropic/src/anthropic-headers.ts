import type { AnthropicOptions } from './anthropic-options.js';
import { loadsSkills } from './anthropic-server-tools.js';

const BETA = 'anthropic-beta';

/** What servers want to hear that have skills only as a beta; Anthropic's own takes it. */
const SKILL_BETAS: readonly string[] = ['code-execution-2025-08-25', 'skills-2025-10-02'];

type Headers = Readonly<Record<string, string>>;

/** The headers of one request. Betas are added to those of its `headers`, or else of the connection's, which they would replace. */
export function requestHeaders(own: Readonly<Partial<AnthropicOptions>>, connection: Headers | undefined): Headers {
  const betas = own.betas ?? (loadsSkills(own.skillContainer) ? SKILL_BETAS : []);
  const headers = own.headers ?? {};
  if (betas.length === 0) return headers;
  const given = (betaOf(headers) ?? betaOf(connection) ?? '').split(',').map((beta) => beta.trim());
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== BETA);
  const all = new Set([...given.filter((beta) => beta !== ''), ...betas]);
  return { ...Object.fromEntries(others), [BETA]: [...all].join(',') };
}

function betaOf(headers: Headers | undefined): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === BETA)?.[1];
}
