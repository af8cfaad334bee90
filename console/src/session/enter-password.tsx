import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { SignInForm } from './sign-in-form.tsx';

interface EnterPasswordProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onForgotten: () => void;
  readonly onSubmit: (email: string, password: string) => Promise<void>;
}

export function EnterPassword({ email, onEmail, onForgotten, onSubmit }: EnterPasswordProps) {
  const [password, setPassword] = useState('');
  const missing = () =>
    email.trim() === '' || password === '' ? 'Enter your email address and password.' : undefined;
  return (
    <SignInForm
      title="Sign in"
      description="To your workspace’s leads and settings."
      submit="Sign in"
      check={missing}
      onSubmit={() => onSubmit(email.trim(), password)}
      secondary={{ label: 'Forgot your password?', onClick: onForgotten }}
    >
      <FormField label="Email address">
        <Input
          value={email}
          onChange={({ detail }) => onEmail(detail.value)}
          type="email"
          name="username"
          autoComplete="username"
          autoFocus
        />
      </FormField>
      <FormField label="Password">
        <Input
          value={password}
          onChange={({ detail }) => setPassword(detail.value)}
          type="password"
          name="password"
          autoComplete="current-password"
        />
      </FormField>
    </SignInForm>
  );
}
