import { ChatRerankModel } from '@vernal/rag';
import { describeRerankModel, ScriptedChatModel, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

const stems = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 4));

/** Stands for a model that scores by the words that query and document share. */
function scoring(): ScriptedChatModel {
  const answer = ({ userMessage: { text } }: { readonly userMessage: { readonly text: string } }): { text: string } => {
    const query = stems(/<query>\n([\s\S]*?)\n<\/query>/.exec(text)?.[1] ?? '');
    const documents = text.matchAll(/<document index="(\d+)"[^>]*>\n([\s\S]*?)\n<\/document>/g);
    const scores = Array.from(documents, ([, index, shown = '']) => ({
      index: Number(index),
      score: Math.min(10, new Set(stems(shown).filter((stem) => query.includes(stem))).size),
    }));
    return { text: JSON.stringify({ scores }) };
  };
  return new ScriptedChatModel(Array.from({ length: 50 }, () => answer));
}

describeRerankModel('ChatRerankModel', () => ({ subject: new ChatRerankModel({ model: scoring() }) }), {
  runner: vitestRunner(vitest),
});
