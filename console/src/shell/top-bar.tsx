import Box from '@cloudscape-design/components/box';
import TopNavigation from '@cloudscape-design/components/top-navigation';
import { useState } from 'react';
import { useWorkspace } from '../api/queries.ts';
import { FormDialog } from '../shared/dialogs.tsx';
import { showTimesInUtc, useTimesInUtc } from '../shared/moment.tsx';
import { useIsShownOnce } from '../shared/shown-once-memory.tsx';
import { useFollow } from './link.tsx';
import { chooseTheme, rememberedTheme } from './theme.ts';

interface TopBarProps {
  readonly email: string;
  readonly stage: string;
  readonly onSignOut: () => void;
}

export function TopBar({ email, stage, onSignOut }: TopBarProps) {
  const [theme, setTheme] = useState(rememberedTheme);
  const { data: workspace } = useWorkspace();
  const inUtc = useTimesInUtc();
  const wouldLose = useIsShownOnce();
  const [asking, setAsking] = useState(false);
  const follow = useFollow();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <div id="top-bar" className="top-bar">
      <TopNavigation
        identity={{
          href: '/',
          title: workspace?.name ?? 'Lead ingest',
          logo: { src: '/favicon.svg', alt: '' },
          onFollow: follow,
        }}
        utilities={[
          {
            type: 'button',
            text: theme === 'dark' ? 'Light mode' : 'Dark mode',
            onClick: () => {
              chooseTheme(other);
              setTheme(other);
            },
          },
          {
            type: 'menu-dropdown',
            text: email,
            description: stage === 'prod' ? undefined : `Stage ${stage}`,
            iconName: 'user-profile',
            items: [
              { id: 'security', text: 'Sign-in security', href: '/security' },
              // Hover alone is out of reach for keyboard and touch.
              { id: 'times', text: inUtc ? 'Show times in local time' : 'Show times in UTC' },
              { id: 'sign-out', text: 'Sign out' },
            ],
            onItemFollow: follow,
            onItemClick: ({ detail }) => {
              if (detail.id === 'times') showTimesInUtc(!inUtc);
              if (detail.id === 'sign-out') wouldLose ? setAsking(true) : onSignOut();
            },
          },
        ]}
      />
      {asking && <SignOut onSignOut={onSignOut} onCancel={() => setAsking(false)} />}
    </div>
  );
}

interface SignOutProps {
  readonly onSignOut: () => void;
  readonly onCancel: () => void;
}

/** Asked only if signing out would lose a secret or token. */
function SignOut({ onSignOut, onCancel }: SignOutProps) {
  return (
    <FormDialog
      title="Sign out?"
      action="Sign out"
      busy={false}
      problem={undefined}
      onSubmit={onSignOut}
      onCancel={onCancel}
    >
      <Box>
        You haven’t confirmed that you saved the new secret or token. You won’t be able to see it again after
        you sign out.
      </Box>
    </FormDialog>
  );
}
