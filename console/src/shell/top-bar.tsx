import Box from '@cloudscape-design/components/box';
import { type MouseEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useWorkspace } from '../api/queries.ts';
import { FormDialog } from '../shared/dialogs.tsx';
import { showTimesInUtc, useTimesInUtc } from '../shared/moment.tsx';
import { useIsShownOnce } from '../shared/shown-once-memory.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { opensElsewhere } from './navigation.tsx';
import { chooseTheme, rememberedTheme } from './theme.ts';

interface TopBarProps {
  readonly email: string;
  readonly stage: string;
  readonly isNavigationOpen: boolean;
  readonly onToggleNavigation: () => void;
  readonly onSignOut: () => void;
}

export function TopBar({ email, stage, isNavigationOpen, onToggleNavigation, onSignOut }: TopBarProps) {
  const [, go] = useLocation();
  const [theme, setTheme] = useState(rememberedTheme);
  const { data: workspace } = useWorkspace();
  const inUtc = useTimesInUtc();
  const wouldLose = useIsShownOnce();
  const [asking, setAsking] = useState(false);
  const other = theme === 'dark' ? 'light' : 'dark';
  const goHome = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    go('/');
  };
  return (
    <header id="top-bar" className="top-bar">
      <button
        type="button"
        className="bar-button"
        aria-expanded={isNavigationOpen}
        aria-label={isNavigationOpen ? 'Close navigation' : 'Open navigation'}
        onClick={onToggleNavigation}
      >
        ☰
      </button>
      <a className="home" href="/" onClick={goHome}>
        <img src="/favicon.svg" alt="" width="24" height="24" />
        <span className="home-name">{workspace?.name ?? 'Lead ingest'}</span>
      </a>
      <Menu label={email}>
        {stage !== 'prod' && <p className="menu-note">Stage {stage}</p>}
        <MenuItem onChoose={() => go('/security')}>Sign-in security</MenuItem>
        <MenuItem
          onChoose={() => {
            chooseTheme(other);
            setTheme(other);
          }}
        >
          {theme === 'dark' ? 'Light mode' : 'Dark mode'}
        </MenuItem>
        {/* Hover alone is out of reach for keyboard and touch. */}
        <MenuItem onChoose={() => showTimesInUtc(!inUtc)}>
          {inUtc ? 'Show times in local time' : 'Show times in UTC'}
        </MenuItem>
        <MenuItem onChoose={() => (wouldLose ? setAsking(true) : onSignOut())}>Sign out</MenuItem>
      </Menu>
      {/* Asked only if signing out would lose a secret or token. */}
      {asking && (
        <FormDialog
          title="Sign out?"
          action="Sign out"
          busy={false}
          problem={undefined}
          onSubmit={onSignOut}
          onCancel={() => setAsking(false)}
        >
          <Box>
            You haven’t confirmed that you saved the new secret or token. You won’t be able to see it again
            after you sign out.
          </Box>
        </FormDialog>
      )}
    </header>
  );
}
