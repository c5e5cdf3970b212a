import { QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient } from '@vernal/client-chat';
import { contextValue, document } from '@vernal/core';
import { citations } from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { expect, it } from 'vitest';

it('citations() reads the answers of a QuestionAnswerAdvisor, given its documents', async () => {
  const documents = [
    document({ id: 'blank', text: '' }),
    document({ id: 'a', text: 'A' }),
    document({ id: 'b', text: 'B' }),
  ];
  const advisor = new QuestionAnswerAdvisor({ vectorStore: { similaritySearch: async () => documents } });
  const client = ChatClient.builder(new ScriptedChatModel(['Two [2], not [3].']))
    .defaultAdvisors(advisor)
    .build();
  const response = await client.prompt('?').call().chatClientResponse();
  const found = citations(response, contextValue(response.context, QA_RETRIEVED_DOCUMENTS));
  expect(found).toMatchObject({
    text: 'Two [2], not.',
    citations: [{ index: 2, document: { id: 'b' } }],
    dangling: [3],
  });
});
