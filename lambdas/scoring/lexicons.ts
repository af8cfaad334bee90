import { OFFERS, OFFERS_ELSEWHERE } from './lexicon-offers.ts';
import { PITCHES, TOPICS } from './lexicon-pitches.ts';
import { REQUESTS } from './lexicon-requests.ts';
import { NO_TEST, SAYS_TEST, TEST_SURROUNDINGS } from './lexicon-tests.ts';

/** What packed-lexicons.ts is made from. Scoring reads that file, so after a change: `npm run make:domain-lists`. */
export const LEXICONS = {
  offer: OFFERS + OFFERS_ELSEWHERE + TOPICS,
  pitch: PITCHES,
  request: REQUESTS,
  test: SAYS_TEST,
  noTest: NO_TEST,
  testSurroundings: TEST_SURROUNDINGS,
};
