import { hashingEmbeddingModel } from '@vernal/testing';
import { describeOnServer } from '../../../vector-stores/redis/test/server.js';
import { describeOnEngine } from './on-engine.js';

describeOnServer('advisors over Redis', (server) => {
  describeOnEngine('Redis', async () => server.store({ embeddingModel: hashingEmbeddingModel() }));
  describeOnEngine('Redis with declared fields', async () =>
    server.store({
      embeddingModel: hashingEmbeddingModel(),
      metadataFields: [
        { name: 'conversationId', type: 'tag' },
        { name: 'semanticCacheScope', type: 'tag' },
        { name: 'semanticCacheExpiresAt', type: 'numeric' },
      ],
    }),
  );
});
