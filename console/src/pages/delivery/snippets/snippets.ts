import { CURL } from './curl.ts';
import { GO } from './go.ts';
import { NODE } from './node.ts';
import { PHP } from './php.ts';
import { PYTHON } from './python.ts';
import { RUBY } from './ruby.ts';
import type { Snippet } from './snippet.ts';

export const SNIPPETS: readonly Snippet[] = [CURL, NODE, PYTHON, PHP, RUBY, GO];
