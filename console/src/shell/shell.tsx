import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Navigation, useMedia, WIDE } from './navigation.tsx';
import { ShownNotifications } from './notifications.tsx';
import { CONTENT_ID, LandingPath, SkipLink, useScrollToTop } from './page.tsx';
import './shell.css';
import { contentType } from './shell-rules.ts';
import { TopBar } from './top-bar.tsx';

interface ShellProps {
  readonly email: string;
  readonly stage: string;
  readonly version: string;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}

/** The frame around all pages: top bar, navigation and notifications. */
export function Shell({ email, stage, version, onSignOut, children }: ShellProps) {
  const [path] = useLocation();
  const isWide = useMedia(WIDE);
  const [isOpen, setIsOpen] = useState(isWide);
  // On a window that becomes narrow, it would cover the page.
  useEffect(() => setIsOpen(isWide), [isWide]);
  const landing = useRef<string | undefined>(location.pathname);
  useScrollToTop();
  return (
    <>
      <SkipLink />
      <TopBar
        email={email}
        stage={stage}
        isNavigationOpen={isOpen}
        onToggleNavigation={() => setIsOpen(!isOpen)}
        onSignOut={onSignOut}
      />
      <div className="frame">
        {isOpen && <Navigation onClose={() => setIsOpen(false)} />}
        <main className={`main main-${contentType(path)}`}>
          <ShownNotifications />
          <div id={CONTENT_ID}>
            <LandingPath value={landing}>{children}</LandingPath>
          </div>
          <footer className="footer">lead-ingest {version}</footer>
        </main>
      </div>
    </>
  );
}
