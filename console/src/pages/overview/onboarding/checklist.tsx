import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useState } from 'react';
import { useClient } from '#console/api/queries.ts';
import { neverWorkedLine, useNeverWorked } from '#console/pages/diagnostics/never-worked-notice.tsx';
import { Link } from '#console/shell/link.tsx';
import { focusPage } from '#console/shell/page.tsx';
import { isOver, readProgress, rememberOver, stepsOf } from './progress.ts';

interface ChecklistProps {
  readonly workspaceId: string;
  /** Forms with leads first. */
  readonly formIds: readonly string[];
}

const REFRESH_MS = 30_000;

/** The steps until real leads are forwarded. Hidden once all are done, or dismissed in this browser. */
export function Checklist({ workspaceId, formIds }: ChecklistProps) {
  const client = useClient();
  const [over, setOver] = useState(() => isOver(localStorage, workspaceId));
  const { data: progress } = useQuery({
    queryKey: ['onboarding', formIds.toSorted()],
    queryFn: ({ signal }) => readProgress(client, formIds, signal),
    refetchInterval: REFRESH_MS,
    enabled: !over,
  });
  const rejected = useNeverWorked();
  const isDone = progress?.lead === true && progress.destination;
  useEffect(() => {
    if (isDone) rememberOver(localStorage, workspaceId);
  }, [isDone, workspaceId]);
  if (over || isDone || !progress) return null;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            progress.lead
              ? 'Your first lead is in. One step is left.'
              : 'Until your first real lead is in and forwarded.'
          }
          actions={
            <Button
              onClick={() => {
                rememberOver(localStorage, workspaceId);
                setOver(true);
                // The button is gone with the checklist.
                focusPage({ preventScroll: true });
              }}
            >
              Dismiss
            </Button>
          }
        >
          Get started
        </Header>
      }
    >
      <ol>
        {stepsOf(progress, formIds).map(({ id, done, links }) => (
          <li key={id}>
            <StatusIndicator type={done ? 'success' : 'pending'} iconAriaLabel={done ? 'Done' : 'To do'}>
              {links.map(({ text, href }, at) => (
                <Fragment key={href}>
                  {at > 0 && ' or '}
                  <Link href={href}>{text}</Link>
                </Fragment>
              ))}
            </StatusIndicator>
            {id === 'lead' &&
              rejected.map((each) => (
                <div key={`${each.formId} ${each.surface}`}>
                  <StatusIndicator type="warning" iconAriaLabel="Warning" wrapText>
                    {neverWorkedLine(each)}
                  </StatusIndicator>
                </div>
              ))}
          </li>
        ))}
      </ol>
    </Container>
  );
}
