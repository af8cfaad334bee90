import Button from '@cloudscape-design/components/button';
import { Moment } from '#console/shared/moment.tsx';
import { Empty } from '#console/shared/states.tsx';
import { useFollow } from '#console/shell/link.tsx';

interface EventsEmptyProps {
  readonly isFiltered: boolean;
  /** Pages came before this one. */
  readonly isLater: boolean;
  /** Where there may be older ones: so far was looked back. */
  readonly lookedBackTo: string | undefined;
  readonly onLookFurther: () => void;
}

export function EventsEmpty({ isFiltered, isLater, lookedBackTo, onLookFurther }: EventsEmptyProps) {
  const follow = useFollow();
  if (lookedBackTo !== undefined) {
    const further = <Button onClick={onLookFurther}>Look further back</Button>;
    return (
      <Empty title="None found so far" action={further}>
        No event since <Moment at={lookedBackTo} /> fits the filters. Older ones may.
      </Empty>
    );
  }
  if (isLater) {
    const title = isFiltered ? 'No older event fits the filters' : 'No older events';
    return <Empty title={title}>All that is kept has been looked at.</Empty>;
  }
  if (isFiltered) return <Empty title="No event fits the filters">Clear the filters to see all.</Empty>;
  return (
    <Empty
      title="No events"
      action={
        <Button href="/send-test" onFollow={follow}>
          Send a test
        </Button>
      }
    >
      When a submission is rejected it shows up here within seconds. A test tells whether a form accepts
      leads.
    </Empty>
  );
}
