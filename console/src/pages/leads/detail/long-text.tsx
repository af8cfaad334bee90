import Button from '@cloudscape-design/components/button';
import { useState } from 'react';

const SHORT_ENOUGH = 600;

interface LongTextProps {
  readonly text: string;
  /** Names the text for screen readers. */
  readonly what: string;
}

/** Submitted text with its line breaks; long text is collapsed. */
export function LongText({ text, what }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  if (text === '') return <>–</>;
  const isLong = text.length > SHORT_ENOUGH;
  const button = whole ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`;
  return (
    <>
      <span className="value value-lines">
        {isLong && !whole ? `${text.slice(0, SHORT_ENOUGH).replace(/[\uD800-\uDBFF]$/, '')}…` : text}
      </span>
      {isLong && (
        <div>
          <Button
            variant="inline-link"
            ariaExpanded={whole}
            ariaLabel={`${button} of ${what}`}
            onClick={() => setWhole(!whole)}
          >
            {button}
          </Button>
        </div>
      )}
    </>
  );
}
