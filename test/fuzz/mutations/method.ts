import { type Apply, mutations } from './mutation.ts';

const METHODS = [
  'GET HEAD PUT DELETE OPTIONS PATCH TRACE CONNECT PROPFIND SEARCH QUERY PURGE M-SEARCH SOURCE'.split(' '),
  [
    'post',
    'Post',
    'POSTT',
    'PO ST',
    ' POST',
    'POST\t',
    '',
    '\0POST',
    'P\u00d6ST',
    'PRI',
    'POST'.repeat(5000),
  ],
].flat();

const set =
  (method: string): Apply =>
  (draft) => {
    draft.method = method;
  };

export const METHOD = mutations('method', 'fatal', METHODS.map(set));
