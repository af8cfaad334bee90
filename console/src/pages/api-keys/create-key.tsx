import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { SCOPES } from './scopes.ts';
import { type MadeKey, useCreateKey } from './use-api-keys.ts';

interface CreateKeyProps {
  readonly onMade: (made: MadeKey) => void;
  readonly onClose: () => void;
}

export function CreateKey({ onMade, onClose }: CreateKeyProps) {
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState(false);
  const hasName = name.trim() !== '';

  function choose(scope: string, isChosen: boolean) {
    const others = [...chosen].filter((each) => each !== scope);
    setChosen(new Set(isChosen ? [...others, scope] : others));
  }

  function send() {
    setAsked(true);
    if (!hasName || chosen.size === 0) return;
    const scopes = SCOPES.map(({ scope }) => scope).filter((scope) => chosen.has(scope));
    // Closing the dialog may be skipped if the owner left the page; keeping the key may not.
    const made = create.mutateAsync({ name: name.trim(), scopes }, { onSuccess: onClose });
    made.then(onMade, () => undefined);
  }

  return (
    <FormDialog
      title="Create API key"
      action="Create"
      busy={create.isPending}
      problem={create.error ? errorMessage(create.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <FormField
          label="Name"
          description="Describe who uses it, so you know which key to revoke later."
          errorText={asked && !hasName && 'Enter a name.'}
        >
          <Input value={name} placeholder="Zapier" onChange={({ detail }) => setName(detail.value)} />
        </FormField>
        <FormField
          label="What it may do"
          description="Choose only what the integration needs."
          errorText={asked && chosen.size === 0 && 'Choose at least one.'}
        >
          <SpaceBetween size="xs">
            {SCOPES.map(({ scope, text }) => (
              <Checkbox
                key={scope}
                checked={chosen.has(scope)}
                description={scope}
                onChange={({ detail }) => choose(scope, detail.checked)}
              >
                {text}
              </Checkbox>
            ))}
          </SpaceBetween>
        </FormField>
      </SpaceBetween>
    </FormDialog>
  );
}
