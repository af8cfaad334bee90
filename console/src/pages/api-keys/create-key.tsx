import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { CreateSecret } from '../../shared/revocable-secrets.tsx';
import { SCOPES } from './scopes.ts';
import { type MadeApiKey, useCreateKey } from './use-api-keys.ts';

interface CreateKeyProps {
  readonly onMade: (made: MadeApiKey) => void;
  readonly onClose: () => void;
}

export function CreateKey({ onMade, onClose }: CreateKeyProps) {
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const hasName = name.trim() !== '';
  const scopes = SCOPES.map(({ scope }) => scope).filter((scope) => chosen.has(scope));

  function choose(scope: string, isChosen: boolean) {
    const others = [...chosen].filter((each) => each !== scope);
    setChosen(new Set(isChosen ? [...others, scope] : others));
  }

  return (
    <CreateSecret
      title="Create API key"
      create={create}
      input={hasName && scopes.length > 0 ? { name: name.trim(), scopes } : undefined}
      onMade={onMade}
      onClose={onClose}
    >
      {(asked) => (
        <>
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
        </>
      )}
    </CreateSecret>
  );
}
