import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
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
  const hasEmail = email.trim() !== '';
  const hasPassword = password !== '';
  return (
    <SignInForm
      title="Sign in"
      description="To your workspace’s leads and settings."
      submit="Sign in"
      canSend={hasEmail && hasPassword}
      onSubmit={() => onSubmit(email.trim(), password)}
      secondary={{ label: 'Forgot your password?', onClick: onForgotten }}
    >
      {(asked) => (
        <SpaceBetween size="l">
          <FormField label="Email address" errorText={asked && !hasEmail && 'Enter your email address.'}>
            <Input
              value={email}
              onChange={({ detail }) => onEmail(detail.value)}
              type="email"
              name="username"
              autoComplete="username"
              autoFocus
            />
          </FormField>
          <FormField label="Password" errorText={asked && !hasPassword && 'Enter your password.'}>
            <Input
              value={password}
              onChange={({ detail }) => setPassword(detail.value)}
              type="password"
              name="password"
              autoComplete="current-password"
            />
          </FormField>
        </SpaceBetween>
      )}
    </SignInForm>
  );
}
