import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import Popover from '@cloudscape-design/components/popover';
import { guideAddress, TERMS, type TermName } from './terms.ts';

/** A small button that explains a term, with a link to the guide. */
export function Term({ name }: { readonly name: TermName }) {
  return (
    <Popover
      triggerType="custom"
      header={`What “${name}” means`}
      content={
        <>
          {TERMS[name]}{' '}
          <Link href={guideAddress(name)} external>
            Guide
          </Link>
        </>
      }
    >
      <Button variant="inline-icon" iconName="status-info" ariaLabel={`What “${name}” means`} />
    </Popover>
  );
}
