import type { AnySchemaWithJson, ChatResponse, StructuredOutputConverter } from '@vernal/core';
import { invalidArgument, StructuredOutputError, schemaConverter } from '@vernal/core';
import { LOWEST_PRECEDENCE } from '../advisors/advisor-order.js';
import type { ChatClientResponse } from '../advisors/advisor-request.js';
import { BaseAdvisor } from '../advisors/base-advisor.js';
import { setAdvice } from '../chain/advice.js';
import { OUTPUT_FORMAT } from '../chain/output-format.js';
import { afterAttempts, finalText, validationAdvice } from '../chain/validation-advice.js';
import { wrappedValue } from '../chain/wrapped-value.js';
import type { ChainExtras } from './advisor-plan.js';
import type { RequestState } from './request-state.js';
import { answerOf } from './run-turn.js';
import type { EntityOptions } from './terminals.js';

/** What a request for an entity adds to the request. */
export interface EntityRequest<T> {
  readonly state: RequestState;
  readonly converter: StructuredOutputConverter<T>;
  readonly extras: ChainExtras | undefined;
  /** The part of what has arrived that belongs to the value. Undefined: all of it. */
  readonly unwrap?: ((snapshot: unknown) => unknown) | undefined;
}

export function entityRequest<T>(
  state: RequestState,
  wanted: AnySchemaWithJson | StructuredOutputConverter<T>,
  options: EntityOptions = {},
): EntityRequest<T> {
  // A schema yields what `entity()` says it does: its overloads tie T to the schema.
  const given = isSchema(wanted) ? (schemaConverter(wanted) as StructuredOutputConverter<T>) : wanted;
  if (typeof given?.convert !== 'function') throw invalidArgument('schema', 'must be a schema or a converter');
  const native = options.native ?? state.entityOptions.native ?? false;
  if (options.native === true && given.jsonSchema === undefined) {
    throw invalidArgument(
      'native',
      'the converter has no jsonSchema to hand to the provider; give it one, or leave native out',
    );
  }
  const wrapped = native ? wrappedValue(given) : undefined;
  const converter = wrapped?.converter ?? given;
  const repeats = repeatsOf(options.validate ?? state.entityOptions.validate ?? false);
  return {
    state: { ...state, context: { ...state.context, [OUTPUT_FORMAT]: { converter, native } } },
    converter,
    extras: repeats === undefined ? undefined : { advisors: [new EntityValidationAdvisor(converter, repeats)] },
    unwrap: wrapped?.unwrap,
  };
}

/** Throws `StructuredOutputError` with the usage of the turn. */
export async function entityOf<T>(
  response: ChatClientResponse,
  converter: StructuredOutputConverter<T>,
): Promise<{ readonly response: ChatResponse; readonly entity: T }> {
  const answer = answerOf(response);
  try {
    return { response: answer, entity: await converter.convert(finalText(response.turn, answer)) };
  } catch (error) {
    throw StructuredOutputError.is(error)
      ? afterAttempts(error, error.attempts, answer.metadata.usage, answer.result?.metadata.finishReason)
      : error;
  }
}

/** `StructuredOutputValidationAdvisor` for any converter. */
class EntityValidationAdvisor extends BaseAdvisor {
  readonly name: string = 'EntityValidationAdvisor';

  constructor(converter: StructuredOutputConverter<unknown>, maxRepeats: number) {
    super({ order: LOWEST_PRECEDENCE - 2000, scope: 'round' });
    setAdvice(this, validationAdvice(converter, maxRepeats));
  }
}

/** Undefined: not validated. */
function repeatsOf(validate: NonNullable<EntityOptions['validate']>): number | undefined {
  if (validate === false) return undefined;
  const repeats = validate === true ? 3 : validate.maxRepeats;
  if (!Number.isInteger(repeats) || repeats < 0) {
    throw invalidArgument('validate.maxRepeats', 'must be a whole number of at least 0');
  }
  return repeats;
}

function isSchema<T>(wanted: AnySchemaWithJson | StructuredOutputConverter<T>): wanted is AnySchemaWithJson {
  return '~standard' in Object(wanted);
}
