import type { CallContext, SchemaWithJson } from '@vernal/core';
import { jsonSchema, PromptTemplate } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { fenced, MATERIAL } from './fenced.js';
import type { Extract, Judge } from './judge.js';

const PROMPT = `Take a text apart into the claims that it makes.
${MATERIAL}

<query>
{query}
</query>

<text>
{text}
</text>

The text answers the query. List every statement of fact in the text, each as a sentence that can be understood alone: names in place of pronouns, one fact a sentence, in the language of the text. Leave out questions, greetings and what the text says about itself. A text that states nothing has no claims.`;

const Claims: SchemaWithJson<{ claims: string[] }, { claims: string[] }> = /* @__PURE__ */ jsonSchema(
  {
    type: 'object',
    properties: { claims: { type: 'array', items: { type: 'string' } } },
    required: ['claims'],
    additionalProperties: false,
  },
  { validator: jsonSchemaValidator() },
);
const template: PromptTemplate = /* @__PURE__ */ new PromptTemplate(PROMPT);

/** The claims of a text; undefined when the model's list cannot be read. */
export async function claimsOf(
  judge: Judge,
  text: string,
  query: string | undefined,
  context: CallContext | undefined,
): Promise<Extract<readonly string[]>> {
  const prompt = template.render({ query: fenced(query ?? '(not known)'), text: fenced(text) });
  const { value, ...spent } = await judge.extract(prompt, Claims, context);
  const claims = value?.claims.map((claim) => claim.trim()).filter((claim) => claim !== '');
  return { value: claims === undefined ? undefined : [...new Set(claims)], ...spent };
}
