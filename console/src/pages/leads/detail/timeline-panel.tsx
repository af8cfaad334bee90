import Box from '@cloudscape-design/components/box';
import Steps from '@cloudscape-design/components/steps';
import { useRead } from '#console/api/queries.ts';
import type { Lead, Message } from '#console/api/types.ts';
import { useDestinations } from '#console/pages/destinations/use-destinations.ts';
import { Moment } from '#console/shared/moment.tsx';
import { leadPath } from '../use-lead.ts';
import { type StepStatus, timelineOf } from './timeline.ts';

const STATUS_NAMES: Readonly<Record<StepStatus, string>> = {
  success: 'Done',
  info: 'Done',
  warning: 'Warning',
  error: 'Failed',
  pending: 'Pending',
  stopped: 'Not done',
};

export default function TimelinePanel({ lead }: { readonly lead: Lead }) {
  // If this fails, the panel about forwarding says so.
  const messages = useRead<{ messages: Message[] }>(`${leadPath(lead.submissionId)}/messages`);
  const destinations = useDestinations().data?.destinations;
  const nameOf = (id: string) =>
    destinations?.find(({ destinationId }) => destinationId === id)?.name ??
    (destinations ? 'a deleted destination' : 'a destination');
  return (
    <Steps
      ariaLabel="Timeline"
      steps={timelineOf(lead, messages.data?.messages, nameOf).map(({ status, text, at }) => ({
        status,
        statusIconAriaLabel: STATUS_NAMES[status],
        header: <span className="value">{text}</span>,
        details: at !== undefined && (
          <Box color="text-body-secondary">
            <Moment at={at} />
          </Box>
        ),
      }))}
    />
  );
}
