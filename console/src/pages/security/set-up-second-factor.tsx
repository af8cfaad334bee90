import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { generate } from 'lean-qr';
import { type FormEvent, useMemo, useState } from 'react';
import type { SecondFactorSetup } from '../../session/account.ts';
import { CodeField, PasswordField } from '../../session/sign-in-form.tsx';
import { proofError, readCode, signInError } from '../../session/sign-in-problems.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { qrPath } from './qr-path.ts';
import type { ChangeProps } from './turn-off-second-factor.tsx';

/** The password first: a key for somebody else's app would lock the owner out. */
export function SetUpSecondFactor({ account, email, onDone, onCancel }: ChangeProps) {
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const begin = useMutation({ mutationFn: () => account.beginSecondFactor(password) });
  if (begin.data) return <ConfirmSecondFactor setup={begin.data} onDone={onDone} onCancel={onCancel} />;

  const send = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (password !== '' && !begin.isPending) begin.mutate();
  };
  const missing = asked && password === '' && 'Enter your password.';
  return (
    <form onSubmit={send} noValidate>
      <SpaceBetween size="m">
        <PasswordField
          label="Confirm your password"
          email={email}
          password={password}
          onPassword={setPassword}
          error={missing || (begin.error ? proofError(begin.error) : undefined)}
        />
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="primary" loading={begin.isPending}>
            Continue
          </Button>
          <Button variant="link" formAction="none" disabled={begin.isPending} onClick={onCancel}>
            Cancel
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </form>
  );
}

interface ConfirmProps extends Pick<ChangeProps, 'onDone' | 'onCancel'> {
  readonly setup: SecondFactorSetup;
}

function ConfirmSecondFactor({ setup, onDone, onCancel }: ConfirmProps) {
  const notify = useNotify();
  const [code, setCode] = useState('');
  const digits = readCode(code);
  const confirm = useMutation({
    mutationFn: () => setup.confirm(digits ?? ''),
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
  const cancel = () => {
    setup.cancel();
    onCancel();
  };
  return (
    <form onSubmit={send}>
      <SpaceBetween size="m">
        <Box>1. Scan this QR code with your authenticator app.</Box>
        <QrCode
          text={setup.address}
          label="QR code with the key for your authenticator app. The key is also shown as text below."
        />
        <Box>
          Can’t scan it? Enter this key manually or{' '}
          <Link href={setup.address}>open it in an app on this device</Link>.
        </Box>
        <Box variant="code">
          <span className="value">
            <Copyable text={setup.key} what="key" />
          </span>
        </Box>
        <CodeField
          label="2. Enter the code from the app"
          code={code}
          onCode={setCode}
          error={confirm.error ? signInError(confirm.error) : undefined}
        />
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="primary" loading={confirm.isPending} disabled={digits === undefined}>
            Turn on
          </Button>
          <Button variant="link" formAction="none" disabled={confirm.isPending} onClick={cancel}>
            Cancel
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </form>
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
