import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { readCode } from './one-time-code.ts';
import { SignInForm } from './sign-in-form.tsx';

interface EnterCodeProps {
  readonly onSubmit: (code: string) => Promise<void>;
  readonly onBack: () => void;
}

/** The second factor, where the owner has switched it on. */
export function EnterCode({ onSubmit, onBack }: EnterCodeProps) {
  const [code, setCode] = useState('');
  const digits = readCode(code);
  return (
    <SignInForm
      title="Enter your code"
      description="From the authenticator app that you set up."
      submit="Sign in"
      canSend={digits !== undefined}
      onSubmit={() => onSubmit(digits ?? '')}
      secondary={{ label: 'Back', onClick: onBack }}
    >
      {(asked) => (
        <FormField label="Code" errorText={asked && digits === undefined && 'The code has six digits.'}>
          <Input
            value={code}
            onChange={({ detail }) => setCode(detail.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        </FormField>
      )}
    </SignInForm>
  );
}
