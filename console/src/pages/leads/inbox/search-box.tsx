import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useEffect, useState } from 'react';
import { readWords } from './inbox-filter.ts';

interface SearchBoxProps {
  readonly words: string | undefined;
  readonly onSearch: (words: string | undefined) => void;
}

/** Debounce, so that typing a word is one search. */
const PAUSE_MS = 400;

/** Searches after a pause, and at once on Enter. */
export function SearchBox({ words, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(words ?? '');

  // Back, Forward and "Clear" change the words, too.
  useEffect(() => setText((now) => (readWords(now) === words ? now : (words ?? ''))), [words]);

  useEffect(() => {
    if (readWords(text) === words) return undefined;
    const timer = setTimeout(() => onSearch(readWords(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  });

  return (
    <FormField label="Search" stretch>
      <Input
        type="search"
        value={text}
        placeholder="Name, company, email, domain or phone"
        autoComplete={false}
        onChange={({ detail }) => setText(detail.value)}
        onKeyDown={({ detail }) => {
          if (detail.key === 'Enter' && readWords(text) !== words) onSearch(readWords(text));
        }}
      />
    </FormField>
  );
}
