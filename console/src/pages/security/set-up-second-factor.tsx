import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery } from '@tanstack/react-query';
import { generate } from 'lean-qr';
import { type FormEvent, useMemo, useState } from 'react';
import { secondFactor } from '../../session/second-factor.ts';
import { signInError } from '../../session/sign-in-errors.ts';
import { readCode } from '../../session/sign-in-input.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { qrPath } from './qr-path.ts';

interface SetUpProps {
  readonly email: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function SetUpSecondFactor({ email, onDone, onCancel }: SetUpProps) {
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
