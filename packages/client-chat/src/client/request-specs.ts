import type { ContextKey, JsonInput, Media, MetadataInput, Resource, TemplateVariables } from '@vernal/core';
import type { AnyAdvisor } from '../advisors/advisor.js';

export interface SystemSpec {
  /** A resource is read as text when the call runs. */
  text(text: string | Resource): this;
  param(name: string, value: unknown): this;
  params(values: TemplateVariables): this;
  metadata(key: string, value: JsonInput): this;
  metadata(values: MetadataInput): this;
}

export interface UserSpec extends SystemSpec {
  media(...media: readonly Media[]): this;
  /** A string is a URL. */
  media(mimeType: string, data: Uint8Array | URL | string | Resource): this;
}

export interface AdvisorSpec {
  advisors(...advisors: readonly AnyAdvisor[]): this;
  /** A `ContextKey` types its value; any other string takes anything but null and undefined. */
  param<T>(key: ContextKey<T>, value: NoInfer<T> & {}): this;
  params(values: Readonly<Record<string, {}>>): this;
}
