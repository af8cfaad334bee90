import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useSyncExternalStore,
} from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { TimeOfDay } from '../shared/moment.tsx';
import { Link } from './link.tsx';
import { hasFailed, isStale, staleSince, tabTitle } from './shell-rules.ts';

export const CONTENT_ID = 'content';

/** Focuses the h1, so screen readers announce it and Tab continues from there. */
export function focusPage(options?: FocusOptions): void {
  const content = document.getElementById(CONTENT_ID);
  const target = content?.querySelector('h1') ?? content;
  if (!target) return;
  target.tabIndex = -1;
  target.focus(options);
}

/** The first Tab stop, which skips the top bar and navigation. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        // Keeps the URL, whose hash belongs to the page.
        event.preventDefault();
        focusPage();
      }}
    >
      Skip to main content
    </a>
  );
}

/** The path the console was opened with, until the first page is shown. */
export const LandingPath = createContext<RefObject<string | undefined>>({ current: undefined });

/**
 * Moves the focus to a new page, so screen readers announce it. On the first page the browser decides.
 */
function useArrival(): void {
  const landing = use(LandingPath);
  useEffect(() => {
    const isFirst = landing.current === location.pathname;
    landing.current = undefined;
    // The browser or an anchor decides the scroll position.
    if (!isFirst && !isTaken(document.activeElement)) focusPage({ preventScroll: true });
  }, [landing]);
}

/** A dialog or field that opens with the page takes the focus itself. */
const isTaken = (active: Element | null) => active?.closest(`#${CONTENT_ID}, [role="dialog"]`) != null;

/** wouter's navigation events. On back and forward the browser restores the scroll position. */
const GONE_TO = ['pushState', 'replaceState'];

/** Scrolls to the top on navigation. */
export function useScrollToTop(): void {
  const path = usePathname();
  useEffect(() => {
    const toTop = () => {
      if (location.pathname !== path) scrollTo(0, 0);
    };
    for (const event of GONE_TO) addEventListener(event, toTop);
    return () => {
      for (const event of GONE_TO) removeEventListener(event, toTop);
    };
  }, [path]);
}

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Beside the title. */
  readonly info?: ReactNode;
  readonly actions?: ReactNode;
  /** Between the parts of the page. */
  readonly size?: 's' | 'l';
  /** The breadcrumbs above this page, from the top. */
  readonly above?: readonly { readonly text: string; readonly href: string }[];
  readonly children: ReactNode;
}

/** The frame of every page: tab title, breadcrumbs and h1. */
export function Page({ title, description, info, actions, size = 'l', above = [], children }: PageProps) {
  const inTab = tabTitle(title, above);
  useEffect(() => {
    document.title = inTab;
  }, [inTab]);
  useArrival();
  return (
    <>
      {above.length > 0 && <Breadcrumbs above={above} />}
      <div className="page-head">
        <Header variant="h1" description={description} info={info} actions={actions}>
          {title}
        </Header>
        <PageState />
      </div>
      <SpaceBetween size={size}>{children}</SpaceBetween>
    </>
  );
}

function Breadcrumbs({ above }: Required<Pick<PageProps, 'above'>>) {
  return (
    <nav className="crumbs" aria-label="Breadcrumbs">
      <ol>
        {above.map(({ text, href }) => (
          <li key={href}>
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const RETRY_MS = 15_000;

/** Says if shown data is stale or missing because requests fail, with one retry for the whole page. */
function PageState() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const since = useSyncExternalStore(
    // Batched, since queries are also created while components render.
    useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () => staleSince(cache.findAll({ type: 'active' }).map(({ state }) => state)),
  );
  const retry = useCallback(
    (which: (state: Query['state']) => boolean) =>
      void queries.refetchQueries(
        { type: 'active', predicate: ({ state }) => which(state) },
        { cancelRefetch: false },
      ),
    [queries],
  );
  // Not those without data: their panels would flicker between the error and loading.
  useEffect(() => {
    if (!since) return undefined;
    const timer = setInterval(() => document.hidden || retry(isStale), RETRY_MS);
    return () => clearInterval(timer);
  }, [since, retry]);
  return (
    <div role="status">
      {since !== undefined && (
        <>
          <StatusIndicator type="warning">
            {since > 0 ? (
              <>
                Last updated <TimeOfDay at={new Date(since).toISOString()} />, retrying
              </>
            ) : (
              'Some data couldn’t be loaded'
            )}
          </StatusIndicator>{' '}
          <Button variant="inline-link" onClick={() => retry(hasFailed)}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
