import type { ContextKey, JsonInput, Media, MetadataInput, MimeType, Resource, TemplateVariables } from '@vernal/core';
import type { AnyAdvisor } from '../advisors/advisor.js';

/** What is said of the system text. Lives inside of its callback only, and changes in place. */
export interface SystemSpec {
  /** Replaces the text. A resource is read as text when the call runs. Blank: `invalid_argument`. */
  text(text: string | Resource): this;
  /**
   * With at least one param the text is rendered; without any it is literal. Later wins, key by key, over defaults too. A resource is
   * read as text when the call runs. A blank name: `invalid_argument`.
   */
  param(name: string, value: unknown): this;
  params(values: TemplateVariables): this;
  /** Of the message. Later wins, key by key. A blank key, or null: `invalid_argument`. */
  metadata(key: string, value: NonNullable<JsonInput>): this;
  metadata(values: MetadataInput): this;
}

/** What is said of the user text. Media add up; they are sent even without a text. */
export interface UserSpec extends SystemSpec {
  media(...media: readonly Media[]): this;
  /** A string is a URL. A resource is read when the call runs. */
  media(mimeType: MimeType, data: Uint8Array | URL | string | Resource): this;
}

/** An advisor, or a list of them. */
export type AdvisorSource = AnyAdvisor | readonly AnyAdvisor[];

/** Advisors, and the values that they share (`AdvisorContext`). */
export interface AdvisorSpec {
  advisors(...advisors: readonly AdvisorSource[]): this;
  /** A `ContextKey` types its value; any other string takes anything but null and undefined (`invalid_argument`). */
  param<T>(key: ContextKey<T>, value: NoInfer<T> & {}): this;
  params(values: Readonly<Record<string, {}>>): this;
}
