import { ToolSearchToolCallingAdvisor } from '@vernal/advisors-tool-search';
import { describeAdvisor, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

// The suite's model calls a tool without searching for it.
describeAdvisor(
  'ToolSearchToolCallingAdvisor',
  () => ({ subject: new ToolSearchToolCallingAdvisor({ alwaysOffer: ['weather'] }) }),
  { runner: vitestRunner(vitest) },
);
