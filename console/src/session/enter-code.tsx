import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { SignInForm } from './sign-in-form.tsx';

interface EnterCodeProps {
  readonly onSubmit: (code: string) => Promise<void>;
  readonly onBack: () => void;
}

/** The second factor, where the owner has switched it on. */
export function EnterCode({ onSubmit, onBack }: EnterCodeProps) {
  const [code, setCode] = useState('');
  return (
    <SignInForm
      title="Enter your code"
      description="From the authenticator app that you set up."
      submit="Sign in"
      check={() => (/^\d{6}$/.test(code.trim()) ? undefined : 'The code has six digits.')}
      onSubmit={() => onSubmit(code.trim())}
      secondary={{ label: 'Back', onClick: onBack }}
    >
      <FormField label="Code">
        <Input
          value={code}
          onChange={({ detail }) => setCode(detail.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      </FormField>
    </SignInForm>
  );
}
