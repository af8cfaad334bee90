import { fetchMFAPreference, setUpTOTP, updateMFAPreference, verifyTOTPSetup } from '@aws-amplify/auth';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery } from '@tanstack/react-query';
import { generate } from 'lean-qr';
import { type FormEvent, useMemo, useState } from 'react';
import { readCode, signInError } from '../../session/sign-in-problems.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { Confirm } from '../../shared/dialogs.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { qrPath } from './qr-path.ts';

/** Two-factor authentication of the signed-in owner, with an authenticator app. */
const secondFactor = {
  async isOn(): Promise<boolean> {
    const { enabled = [] } = await fetchMFAPreference();
    return enabled.includes('TOTP');
  },

  /** The key as text and as a URL that opens the app. Has no effect until confirmed. */
  async begin(email: string): Promise<{ readonly key: string; readonly address: string }> {
    const setUp = await setUpTOTP();
    return { key: setUp.sharedSecret, address: setUp.getSetupUri('Lead ingest', email).toString() };
  },

  async confirm(code: string): Promise<void> {
    await verifyTOTPSetup({ code });
    await updateMFAPreference({ totp: 'PREFERRED' });
  },

  turnOff: (): Promise<void> => updateMFAPreference({ totp: 'DISABLED' }),
};

export default function SecurityPage({ email }: { readonly email: string }) {
  const state = useQuery({ queryKey: ['second-factor'], queryFn: secondFactor.isOn });
  const [doing, setDoing] = useState<'setting-up' | 'turning-off'>();
  const done = () => {
    setDoing(undefined);
    void state.refetch();
  };
  return (
    <Page title="Sign-in security" description={`Sign-in settings for ${email}`}>
      <Container
        header={
          <Header variant="h2" description="Require a code from an authenticator app when you sign in.">
            Two-factor authentication
          </Header>
        }
      >
        <QueryResult of={state} what="your sign-in settings">
          {(isOn) => (
            <SpaceBetween size="m">
              <StatusIndicator type={isOn ? 'success' : 'stopped'}>{isOn ? 'On' : 'Off'}</StatusIndicator>
              {isOn ? (
                <Button onClick={() => setDoing('turning-off')}>Turn off</Button>
              ) : (
                <SpaceBetween size="m">
                  <Box>
                    Protects your leads even if your password is stolen. You need an authenticator app, such
                    as Google Authenticator, 1Password or Aegis.
                  </Box>
                  {doing !== 'setting-up' && <Button onClick={() => setDoing('setting-up')}>Set up</Button>}
                </SpaceBetween>
              )}
              {doing === 'setting-up' && (
                <SetUpSecondFactor email={email} onDone={done} onCancel={() => setDoing(undefined)} />
              )}
            </SpaceBetween>
          )}
        </QueryResult>
      </Container>
      {doing === 'turning-off' && <TurnOffSecondFactor onDone={done} onCancel={() => setDoing(undefined)} />}
    </Page>
  );
}

interface TurnOffProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function TurnOffSecondFactor({ onDone, onCancel }: TurnOffProps) {
  const notify = useNotify();
  const turnOff = useMutation({
    mutationFn: secondFactor.turnOff,
    onSuccess: () => {
      notify('success', 'Two-factor authentication is off.');
      onDone();
    },
  });
  return (
    <Confirm
      title="Turn off two-factor authentication?"
      confirm="Turn off"
      busy={turnOff.isPending}
      error={turnOff.error}
      onConfirm={() => turnOff.mutate()}
      onCancel={onCancel}
    >
      You’ll be able to sign in with only your password.
    </Confirm>
  );
}

interface SetUpProps {
  readonly email: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function SetUpSecondFactor({ email, onDone, onCancel }: SetUpProps) {
  // Each key replaces the previous one, so it must never be refetched automatically.
  const setUp = useQuery({
    queryKey: ['second-factor-key'],
    queryFn: () => secondFactor.begin(email),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const notify = useNotify();
  const [code, setCode] = useState('');
  const digits = readCode(code);
  const confirm = useMutation({
    mutationFn: () => secondFactor.confirm(digits ?? ''),
    onSuccess: () => {
      notify(
        'success',
        'Two-factor authentication is on. You’ll be asked for a code the next time you sign in.',
      );
      onDone();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <QueryResult of={setUp} what="a key for your app">
      {({ key, address }) => (
        <form onSubmit={send}>
          <SpaceBetween size="m">
            <Box>1. Scan this QR code with your authenticator app.</Box>
            <QrCode
              text={address}
              label="QR code with the key for your authenticator app. The key is also shown as text below."
            />
            <Box>
              Can’t scan it? Enter this key manually or{' '}
              <Link href={address}>open it in an app on this device</Link>.
            </Box>
            <Box variant="code">
              <span className="value">
                <Copyable text={key} what="key" />
              </span>
            </Box>
            <FormField
              label="2. Enter the code from the app"
              errorText={confirm.error ? signInError(confirm.error) : undefined}
            >
              <Input
                value={code}
                onChange={({ detail }) => setCode(detail.value)}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
            </FormField>
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant="primary" loading={confirm.isPending} disabled={digits === undefined}>
                Turn on
              </Button>
              <Button variant="link" formAction="none" disabled={confirm.isPending} onClick={onCancel}>
                Cancel
              </Button>
            </SpaceBetween>
          </SpaceBetween>
        </form>
      )}
    </QueryResult>
  );
}

interface QrCodeProps {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
}

/** The quiet zone that the standard requires. */
const QUIET = 4;
/** Whole pixels, so all modules have the same size. */
const PIXELS = 4;

/** Dark on white in any theme, since some apps read no other. */
function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    return { size: code.size, path: qrPath(code) };
  }, [text]);
  const whole = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      width={whole * PIXELS}
      height={whole * PIXELS}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
