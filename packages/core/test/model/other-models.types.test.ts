// The ports of models other than chat: what may be written of them, and what not. The compiler is the test.
import type {
  CallContext,
  EmbeddingModel,
  ImageModel,
  ImagePrompt,
  Media,
  ModerationModel,
  ModerationResult,
  SpeechModel,
  TranscriptionModel,
  TranscriptionOptions,
} from '@vernal/core';
import { describe, expectTypeOf, it } from 'vitest';

type Options<T extends (...parameters: never[]) => unknown> = NonNullable<Parameters<T>[1]>;

describe('ports of other models', () => {
  it('take options in which null unsets, a call context last, and say their provider', () => {
    expectTypeOf<{ model: null; dimensions: undefined }>().toExtend<Options<EmbeddingModel['embed']>>();
    expectTypeOf<{ n: null; width: 512; style: undefined }>().toExtend<NonNullable<ImagePrompt['options']>>();
    expectTypeOf<{ voice: null; speed: 1.5; format: 'mp3' }>().toExtend<Options<SpeechModel['call']>>();
    expectTypeOf<{ language: 'en'; timestamps: 'word'; prompt: null }>().toExtend<TranscriptionOptions>();
    expectTypeOf<{ model: null }>().toExtend<Options<ModerationModel['call']>>();
    expectTypeOf<Parameters<ImageModel['call']>[1]>().toEqualTypeOf<CallContext | undefined>();
    expectTypeOf<Parameters<SpeechModel['call']>[2]>().toEqualTypeOf<CallContext | undefined>();
    expectTypeOf<Parameters<TranscriptionModel['call']>[2]>().toEqualTypeOf<CallContext | undefined>();
    expectTypeOf<Parameters<ModerationModel['call']>[2]>().toEqualTypeOf<CallContext | undefined>();
    expectTypeOf<EmbeddingModel | ImageModel | SpeechModel | TranscriptionModel | ModerationModel>().toExtend<{
      readonly provider: string;
    }>();
  });

  it('take the short form: a text for a prompt, or for a list of one', () => {
    expectTypeOf<'a fox'>().toExtend<Parameters<ImageModel['call']>[0]>();
    expectTypeOf<{ messages: [{ text: 'a fox'; weight: 1; media: Media[] }] }>().toExtend<
      Parameters<ImageModel['call']>[0]
    >();
    expectTypeOf<Parameters<SpeechModel['call']>[0]>().toEqualTypeOf<string>();
    expectTypeOf<'text' | readonly ['one', 'two']>().toExtend<Parameters<ModerationModel['call']>[0]>();
  });

  it('give what they made: media, text with times, verdicts by any category', () => {
    type Image = Awaited<ReturnType<ImageModel['call']>>['results'][number];
    expectTypeOf<Image['image']>().toEqualTypeOf<Media>();
    expectTypeOf<Awaited<ReturnType<SpeechModel['call']>>['audio']>().toEqualTypeOf<Media>();
    expectTypeOf<Awaited<ReturnType<EmbeddingModel['embed']>>>().toEqualTypeOf<Float32Array[]>();
    type Transcript = Awaited<ReturnType<TranscriptionModel['call']>>;
    expectTypeOf<Transcript['text']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Transcript['words']>[number]>().toEqualTypeOf<{
      readonly text: string;
      readonly start: number;
      readonly end: number;
    }>();
    expectTypeOf<ModerationResult['categories']>().toEqualTypeOf<Readonly<Record<string, boolean>>>();
    expectTypeOf<ModerationResult['scores']>().toEqualTypeOf<Readonly<Record<string, number>>>();
  });

  it('stream where they can: bytes of speech always, text of a transcript where the model has it', () => {
    expectTypeOf<ReturnType<SpeechModel['stream']>>().toEqualTypeOf<AsyncIterable<Uint8Array>>();
    expectTypeOf<undefined>().toExtend<TranscriptionModel['stream']>();
    expectTypeOf<ReturnType<NonNullable<TranscriptionModel['stream']>>>().toEqualTypeOf<AsyncIterable<string>>();
  });
});
