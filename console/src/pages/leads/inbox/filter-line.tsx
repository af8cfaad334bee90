import Button from '@cloudscape-design/components/button';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import type { SelectProps } from '@cloudscape-design/components/select';
import { lazy, type RefObject, Suspense, useEffect, useId, useState } from 'react';
import { Loading } from '#console/shared/states.tsx';
import { type Chip, isSet, QUICK_FILTERS, toggle } from './filter-chips.ts';
import { type InboxFilter, isFiltered, readWords } from './inbox-filter.ts';

// The pickers are loaded when they are opened.
const FilterPanel = lazy(() => import('./filter-panel.tsx'));

export interface FilterLineProps {
  readonly filter: InboxFilter;
  readonly chips: readonly Chip[];
  readonly forms: SelectProps.Options;
  /** For the shortcut. */
  readonly searchBox: RefObject<InputProps.Ref | null>;
  readonly onChoose: (filter: InboxFilter) => void;
  /** For typed text, which changes with every pause. */
  readonly onType: (filter: InboxFilter) => void;
}

/** Search and filters in one line. On a phone the filters open as a dialog. */
export function FilterLine({ filter, chips, forms, searchBox, onChoose, onType }: FilterLineProps) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  return (
    <div>
      <div className="filter-line">
        <div className="filter-search">
          <SearchBox box={searchBox} words={filter.q} onSearch={(q) => onType({ ...filter, q })} />
        </div>
        <Button iconName="filter" ariaExpanded={open} ariaControls={panel} onClick={() => setOpen(!open)}>
          Filters
        </Button>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend and its own layout. */}
        <div className="chips quick-filters" role="group" aria-label="Quick filters">
          {QUICK_FILTERS.map((quick) => (
            <button
              key={quick.name}
              type="button"
              className="chip"
              aria-pressed={isSet(filter, quick)}
              onClick={() => onChoose(toggle(filter, quick))}
            >
              {quick.name}
            </button>
          ))}
        </div>
        {isFiltered(filter) && (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          <div className="chips" role="group" aria-label="Filters that are set">
            {chips.map(({ name, text, without }) => (
              <button
                key={name}
                type="button"
                className="chip chip-set"
                aria-label={`Remove filter: ${text}`}
                onClick={() => onChoose(without)}
              >
                <bdi>{text}</bdi> <span aria-hidden="true">×</span>
              </button>
            ))}
            <Button variant="inline-link" onClick={() => onChoose({ sort: undefined })}>
              Clear filters
            </Button>
          </div>
        )}
      </div>
      <div id={panel}>
        {open && (
          <Suspense fallback={<Loading what="the filters" />}>
            <FilterPanel
              filter={filter}
              forms={forms}
              onChoose={onChoose}
              onType={onType}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

interface SearchBoxProps {
  readonly box: RefObject<InputProps.Ref | null>;
  readonly words: string | undefined;
  readonly onSearch: (words: string | undefined) => void;
}

/** Debounce, so that typing a word is one search. */
const SEARCH_PAUSE_MS = 400;

/** Searches after a pause, and at once on Enter. */
function SearchBox({ box, words, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(words ?? '');

  // Back, Forward and "Clear" change the words, too.
  useEffect(() => setText((now) => (readWords(now) === words ? now : (words ?? ''))), [words]);

  useEffect(() => {
    if (readWords(text) === words) return undefined;
    const timer = setTimeout(() => onSearch(readWords(text)), SEARCH_PAUSE_MS);
    return () => clearTimeout(timer);
  });

  return (
    <Input
      ref={box}
      type="search"
      ariaLabel="Search"
      value={text}
      placeholder="Name, company, email or phone"
      autoComplete={false}
      onChange={({ detail }) => setText(detail.value)}
      onKeyDown={({ detail }) => {
        if (detail.key === 'Enter' && readWords(text) !== words) onSearch(readWords(text));
      }}
    />
  );
}
