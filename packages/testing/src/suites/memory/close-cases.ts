import { checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { allIds, textsOf } from './repository-reading.js';
import type { RepositoryStage } from './repository-stage.js';
import { numbered } from './sample-messages.js';

/** Closing. */
export const closeCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  {
    id: 'memory.close.twice',
    title: 'closing twice is closing once, and leaves the data and other repositories alone',
    async run(stage) {
      if (stage.repository.close === undefined) notDeclared('the repository has nothing to close');
      const other = await stage.another();
      await stage.repository.append('c', numbered(1));
      await stage.repository.close();
      await stage.repository.close();
      checkEqual(await textsOf(other, 'c'), ['message 0'], 'texts that the other repository reads');
    },
  },
  {
    id: 'memory.close.use-after',
    title: 'a closed repository refuses work',
    async run({ repository }) {
      if (repository.close === undefined) notDeclared('the repository has nothing to close');
      await repository.append('c', numbered(1));
      await repository.close();
      await rejectsWith(() => repository.append('c', numbered(1)), 'invalid_state', 'append');
      await rejectsWith(() => repository.saveAll('c', numbered(1)), 'invalid_state', 'saveAll');
      await rejectsWith(() => repository.findByConversationId('c'), 'invalid_state', 'findByConversationId');
      await rejectsWith(() => repository.deleteBefore('c', 1), 'invalid_state', 'deleteBefore');
      await rejectsWith(() => repository.deleteByConversationId('c'), 'invalid_state', 'deleteByConversationId');
      await rejectsWith(() => allIds(repository), 'invalid_state', 'findConversationIds');
    },
  },
];
