import type { MessageCreateParamsBase, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import { invalidArgument } from '@vernal/core';

/**
 * Anthropic's own search of the web. Found pages are `webSearchResults` in the generation's metadata, what the answer takes from them
 * `citations`. Source: `AnthropicWebSearchTool` of Spring AI;
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */
export interface AnthropicWebSearch {
  /** Searches in one request, at least 1. Default: as many as the model likes. */
  readonly maxUses?: number | undefined;
  /** Only these, without a scheme: 'example.com', 'docs.example.com/blog'. Not together with `blockedDomains`. */
  readonly allowedDomains?: readonly string[] | undefined;
  /** None of these. */
  readonly blockedDomains?: readonly string[] | undefined;
  /** For results from near the user. */
  readonly userLocation?:
    | {
        readonly city?: string | undefined;
        readonly region?: string | undefined;
        /** Two letters: 'NL'. */
        readonly country?: string | undefined;
        /** IANA name: 'Europe/Amsterdam'. */
        readonly timezone?: string | undefined;
      }
    | undefined;
  /** Of the tool. Later ones filter what they find, and newer models only have them. Default '20250305', which every model takes. */
  readonly version?: '20250305' | '20260209' | '20260318' | undefined;
}

/**
 * Where Anthropic runs code, and the skills that are loaded there. With skills the tool that runs code is offered too. The container that
 * was used is in `metadata.container` of the response.
 * Source: `AnthropicSkillContainer` of Spring AI; https://platform.claude.com/docs/en/build-with-claude/skills-guide
 */
export interface AnthropicSkillContainer {
  /** A container of an earlier answer. Default: a new one. */
  readonly id?: string | undefined;
  /** At most eight. */
  readonly skills?: readonly AnthropicSkill[] | undefined;
}

/** A skill by its id. */
export interface AnthropicSkill {
  /** 'xlsx', 'pptx', 'docx', 'pdf', or the id of one of your own. */
  readonly id: string;
  /** Anthropic's or your own. Default 'anthropic'. */
  readonly type?: 'anthropic' | 'custom' | undefined;
  /** Default: the latest. */
  readonly version?: string | undefined;
}

/** Tools that run at Anthropic, beside those of the caller. */
export function serverTools(
  webSearch: AnthropicWebSearch | undefined,
  container: AnthropicSkillContainer | undefined,
  names: readonly string[],
): ToolUnion[] {
  const tools: ToolUnion[] = [];
  if (webSearch !== undefined) tools.push(webSearchTool(webSearch));
  if (loadsSkills(container)) tools.push({ type: 'code_execution_20250825', name: 'code_execution' });
  for (const { name } of tools.map((tool) => tool as { readonly name: string })) {
    if (names.includes(name)) throw invalidArgument('tools', `Anthropic's own tool is called '${name}'; rename yours`);
  }
  return tools;
}

/** Do the skills need the tool that runs code? */
export function loadsSkills(container: AnthropicSkillContainer | undefined): boolean {
  return container?.skills !== undefined && container.skills.length > 0;
}

export function containerParameter(
  container: AnthropicSkillContainer | undefined,
): NonNullable<MessageCreateParamsBase['container']> | undefined {
  const { id, skills } = container ?? {};
  if (!loadsSkills(container)) return id;
  return {
    ...(id === undefined ? {} : { id }),
    skills: (skills ?? []).map(({ id: skill_id, type = 'anthropic', version }) => ({
      type,
      skill_id,
      ...(version === undefined ? {} : { version }),
    })),
  };
}

function webSearchTool(options: AnthropicWebSearch): ToolUnion {
  const { maxUses, allowedDomains, blockedDomains, userLocation, version = '20250305' } = options;
  if (allowedDomains !== undefined && blockedDomains !== undefined) {
    throw invalidArgument('webSearch', 'takes `allowedDomains` or `blockedDomains`, not both; drop one');
  }
  return {
    type: `web_search_${version}`,
    name: 'web_search',
    ...(maxUses === undefined ? {} : { max_uses: maxUses }),
    ...(allowedDomains === undefined ? {} : { allowed_domains: [...allowedDomains] }),
    ...(blockedDomains === undefined ? {} : { blocked_domains: [...blockedDomains] }),
    ...(userLocation === undefined ? {} : { user_location: { type: 'approximate', ...userLocation } }),
  } as ToolUnion;
}
