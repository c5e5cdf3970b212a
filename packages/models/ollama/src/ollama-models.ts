import type { JsonRecord } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { defined, fieldsOf, itemsOf, reportedText } from './answer-shape.js';

/** What kind of model it is. What the server does not say is absent. */
export interface OllamaModelDetails {
  /** 'gguf' or 'safetensors'. */
  readonly format?: string;
  /** 'llama', 'bert', … */
  readonly family?: string;
  readonly families?: readonly string[];
  /** As people write it: '3.2B'. */
  readonly parameterSize?: string;
  /** 'Q4_K_M', … */
  readonly quantizationLevel?: string;
  readonly parentModel?: string;
}

/** A model that the server has. Source: https://docs.ollama.com/api/tags */
export interface OllamaInstalledModel {
  /** With its tag: 'llama3.2:latest'. */
  readonly name: string;
  readonly details: OllamaModelDetails;
  readonly sizeBytes?: number;
  /** SHA-256 of its contents. */
  readonly digest?: string;
  /** ISO 8601. */
  readonly modifiedAt?: string;
  /** Of a model that runs elsewhere: its name there, and where. */
  readonly remoteModel?: string;
  readonly remoteHost?: string;
}

/** A model that is loaded. Source: https://docs.ollama.com/api/ps */
export interface OllamaRunningModel {
  /** With its tag: 'llama3.2:latest'. */
  readonly name: string;
  readonly details: OllamaModelDetails;
  readonly sizeBytes?: number;
  /** How much of it is in the memory of the GPU. */
  readonly vramBytes?: number;
  readonly digest?: string;
  /** When it will be unloaded. ISO 8601. */
  readonly expiresAt?: string;
  /** Tokens. */
  readonly contextLength?: number;
}

/** What the server tells about one model. Source: https://docs.ollama.com/openapi.yaml */
export interface OllamaModelDescription {
  /** 'completion', 'tools', 'vision', 'thinking', 'embedding', … */
  readonly capabilities: readonly string[];
  readonly details: OllamaModelDetails;
  /** As the model's file has it: 'general.architecture', 'llama.context_length', … */
  readonly modelInfo: Readonly<Record<string, unknown>>;
  /** Lines of name and value. */
  readonly parameters?: string;
  readonly template?: string;
  readonly system?: string;
  readonly license?: string;
  /** ISO 8601. */
  readonly modifiedAt?: string;
}

/** The answer to `GET /api/tags`. */
export function installedModels(body: unknown): OllamaInstalledModel[] {
  return modelsOf(body).map((model) => ({
    ...named(model),
    ...defined({
      sizeBytes: reportedCount(model['size']),
      digest: reportedText(model['digest']),
      modifiedAt: reportedText(model['modified_at']),
      remoteModel: reportedText(model['remote_model']),
      remoteHost: reportedText(model['remote_host']),
    }),
  }));
}

/** The answer to `GET /api/ps`. */
export function runningModels(body: unknown): OllamaRunningModel[] {
  return modelsOf(body).map((model) => ({
    ...named(model),
    ...defined({
      sizeBytes: reportedCount(model['size']),
      vramBytes: reportedCount(model['size_vram']),
      digest: reportedText(model['digest']),
      expiresAt: reportedText(model['expires_at']),
      contextLength: reportedCount(model['context_length']),
    }),
  }));
}

/** The answer to `POST /api/show`. */
export function modelDescription(body: unknown): OllamaModelDescription {
  const shown = fieldsOf(body);
  return {
    capabilities: textsOf(shown['capabilities']),
    details: detailsOf(shown['details']),
    modelInfo: shown['model_info'] === undefined ? {} : fieldsOf(shown['model_info']),
    ...defined({
      parameters: reportedText(shown['parameters']),
      template: reportedText(shown['template']),
      system: reportedText(shown['system']),
      license: reportedText(shown['license']),
      modifiedAt: reportedText(shown['modified_at']),
    }),
  };
}

/** A server without models says null; something else that answers says nothing of models. */
function modelsOf(body: unknown): JsonRecord[] {
  const fields = fieldsOf(body);
  if (!('models' in fields)) throw new TypeError('a list of models was expected');
  return itemsOf(fields['models']).map(fieldsOf);
}

function named(model: JsonRecord): { readonly name: string; readonly details: OllamaModelDetails } {
  const name = reportedText(model['name']) ?? reportedText(model['model']);
  if (name === undefined) throw new TypeError('the name of a model was expected');
  return { name, details: detailsOf(model['details']) };
}

function detailsOf(value: unknown): OllamaModelDetails {
  if (value === undefined || value === null) return {};
  const details = fieldsOf(value);
  const families = textsOf(details['families']);
  return defined({
    format: reportedText(details['format']),
    family: reportedText(details['family']),
    families: families.length === 0 ? undefined : families,
    parameterSize: reportedText(details['parameter_size']),
    quantizationLevel: reportedText(details['quantization_level']),
    parentModel: reportedText(details['parent_model']),
  });
}

function textsOf(value: unknown): string[] {
  return itemsOf(value).filter((item) => typeof item === 'string');
}
