import Button from '@cloudscape-design/components/button';
import { useLocation } from 'wouter';
import type { Form } from '#console/api/types.ts';
import { Empty } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';

interface LeadsEmptyProps {
  readonly form: Form;
  readonly isFiltered: boolean;
  readonly mayHaveMore: boolean;
  readonly onClear: () => void;
}

export function LeadsEmpty({ form, isFiltered, mayHaveMore, onClear }: LeadsEmptyProps) {
  const [, go] = useLocation();
  const clear = <Button onClick={onClear}>Clear the filter</Button>;
  if (mayHaveMore) {
    return (
      <Empty title="None found so far" action={isFiltered && clear}>
        None of the newest leads match. Older ones may: look further back below.
      </Empty>
    );
  }
  if (isFiltered) {
    return (
      <Empty title="No leads match" action={clear}>
        There may be others outside of this filter.
      </Empty>
    );
  }
  if (form.archivedAt !== undefined) return <Empty title="No leads">This form is archived.</Empty>;
  const address = encodeURIComponent(form.formId);
  return (
    <Empty
      title="No leads yet"
      action={
        <div>
          <Button onClick={() => go(`/send-test?form=${address}`)}>Send a test</Button>{' '}
          <Link href={`/forms/${address}/delivery`}>Delivery settings</Link>
        </div>
      }
    >
      Send a test to see how a lead looks, or connect the sender with the delivery settings.
    </Empty>
  );
}
