import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { ApiProblem, errorMessage, notFoundText } from '../api/problem.ts';
import { Link } from '../shell/link.tsx';

/** The part of a TanStack query that is used here. */
interface Read<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface WhenReadProps<T> {
  readonly of: Read<T>;
  /** Names what is being read: "the forms". */
  readonly what: string;
  /** A dialog covers the page's own "Try again". */
  readonly inDialog?: boolean;
  readonly children: (data: T) => ReactNode;
}

/** Shows a query's loading, error or data. A failed refresh keeps the data. */
export function QueryResult<T>({ of, what, inDialog, children }: WhenReadProps<T>) {
  if (of.data !== undefined) return children(of.data);
  if (of.isPending) return <Loading what={what} />;
  return <Failed error={of.error} what={what} {...(inDialog && { onRetry: () => void of.refetch() })} />;
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <Box padding="l" textAlign="center">
      <StatusIndicator type="loading">Loading {what}</StatusIndicator>
    </Box>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly what: string;
  /** Only in dialogs: the page's header retries everything that failed. */
  readonly onRetry?: () => void;
}

export function Failed({ error, what, onRetry }: FailedProps) {
  if (error instanceof ApiProblem && error.status === 404) return <Missing what={what} />;
  return (
    <Alert
      type="error"
      header={`Couldn’t load ${what}`}
      action={onRetry && <Button onClick={onRetry}>Try again</Button>}
    >
      {errorMessage(error)}
    </Alert>
  );
}

function Missing({ what }: { readonly what: string }) {
  const { header, list } = notFoundText(what);
  return (
    <Alert type="warning" header={header}>
      It may have been deleted, or the URL may be wrong. <Link href={list.href}>{list.text}</Link>
    </Alert>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <Box textAlign="center" color="inherit" padding="l">
      <SpaceBetween size="s">
        <Box variant="strong" color="inherit">
          {title}
        </Box>
        <Box color="inherit">{children}</Box>
        {action}
      </SpaceBetween>
    </Box>
  );
}
