import type { Metadata } from '@vernal/core';
import { indexedValue, type MetadataField } from './metadata-fields.js';
import { searchedWords } from './searched-words.js';

/** The fields of a copy that differ from message to message, beside those that the script adds: conversation, sequence, type, createdAt, place. */
export function copyFields(fields: readonly MetadataField[]): string[] {
  return ['words', ...fields.map(({ alias }) => alias)];
}

/** Their values, in this order; '' for none. */
export function copyValues(text: string, metadata: Metadata, fields: readonly MetadataField[]): string[] {
  return [searchedWords(text).join(' '), ...fields.map((field) => indexedValue(field, metadata))];
}
