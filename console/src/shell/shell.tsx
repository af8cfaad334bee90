import AppLayoutToolbar from '@cloudscape-design/components/app-layout-toolbar';
import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { AlertsBadge } from './alerts-badge.tsx';
import { useFollow } from './link.tsx';
import { ShownNotifications } from './notifications.tsx';
import { CONTENT_ID, LandingPath, SkipLink, useScrollToTop } from './page.tsx';
import { activeItem, contentType } from './shell-rules.ts';
import { TopBar } from './top-bar.tsx';

/** The menu. `alerts` stands beside its item. */
const navigation = (alerts: ReactNode): SideNavigationProps.Item[] => [
  { type: 'link', text: 'Overview', href: '/' },
  { type: 'link', text: 'Leads', href: '/leads' },
  { type: 'link', text: 'Forms', href: '/forms' },
  { type: 'link', text: 'Ingest tokens', href: '/tokens' },
  { type: 'link', text: 'Diagnostics', href: '/diagnostics' },
  { type: 'link', text: 'Destinations', href: '/destinations' },
  { type: 'link', text: 'Alerts', href: '/alerts', info: alerts },
  { type: 'link', text: 'Send test', href: '/send-test' },
  { type: 'divider' },
  { type: 'link', text: 'Team', href: '/team' },
  { type: 'link', text: 'API keys', href: '/api-keys' },
  { type: 'link', text: 'Activity', href: '/activity' },
  { type: 'divider' },
  { type: 'link', text: 'API reference', href: '/api-reference/ingest.html', external: true },
];

interface ShellProps {
  readonly email: string;
  readonly stage: string;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}

const isWide = () => matchMedia('(min-width: 1000px)').matches;

/** The frame around all pages: top bar, navigation and notifications. */
export function Shell({ email, stage, onSignOut, children }: ShellProps) {
  const [path] = useLocation();
  const follow = useFollow();
  const [open, setOpen] = useState(isWide);
  const landing = useRef<string | undefined>(location.pathname);
  useScrollToTop();
  return (
    <>
      <SkipLink />
      <TopBar email={email} stage={stage} onSignOut={onSignOut} />
      {/* AppLayout would do, but brings two further layouts that are never shown. */}
      <AppLayoutToolbar
        headerSelector="#top-bar"
        navigation={
          <SideNavigation
            items={navigation(<AlertsBadge />)}
            activeHref={activeItem(path)}
            onFollow={(event) => {
              follow(event);
              // On a phone the navigation covers the page.
              if (!isWide()) setOpen(false);
            }}
          />
        }
        navigationOpen={open}
        // While the navigation is open on a wide screen, the button's bar would be empty.
        navigationTriggerHide={open && isWide()}
        onNavigationChange={({ detail }) => setOpen(detail.open)}
        toolsHide
        notifications={<ShownNotifications />}
        contentType={contentType(path)}
        content={
          <div id={CONTENT_ID}>
            <LandingPath value={landing}>{children}</LandingPath>
          </div>
        }
        ariaLabels={{
          navigation: 'Navigation',
          navigationToggle: 'Open navigation',
          navigationClose: 'Close navigation',
          notifications: 'Notifications',
        }}
      />
    </>
  );
}
