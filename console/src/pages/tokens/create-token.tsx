import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { lazy, Suspense, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import type { ListedForm, Token } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';
import { CreateSecret, useNewSecrets } from '../../shared/revocable-secrets.tsx';
import { ShownOnce } from '../../shared/shown-once.tsx';
import { tokenUrl } from './tokens.ts';

const TokenCode = lazy(() => import('./token-code.tsx'));

interface CreateTokenProps {
  readonly forms: readonly ListedForm[];
  /** Preselected in the URL. */
  readonly formId: string | undefined;
  readonly onMade: (made: MadeToken) => void;
  readonly onClose: () => void;
}

export function CreateToken({ forms, formId, onMade, onClose }: CreateTokenProps) {
  const options = [...formNames(forms)].map(([value, label]) => ({ value, label }));
  const only = options.length === 1 ? options[0] : undefined;
  const [form, setForm] = useState(options.find(({ value }) => value === formId) ?? only);
  const [name, setName] = useState('');
  const create = useChange<'createToken', { formId: string; name: string }>((input) => ({
    method: 'POST',
    path: '/settings/tokens',
    body: input.name === '' ? { formId: input.formId } : input,
  }));

  return (
    <CreateSecret
      title="Create server token"
      create={create}
      input={form && { formId: form.value, name: name.trim() }}
      onMade={onMade}
      onClose={onClose}
    >
      {(asked) => (
        <>
          <FormField
            label="Form"
            description="Leads sent with this token go to this form."
            errorText={asked && !form && 'Choose a form.'}
          >
            <Select
              selectedOption={form ?? null}
              options={options}
              placeholder="Choose a form"
              filteringType={options.length > 8 ? 'auto' : 'none'}
              onChange={({ detail }) =>
                setForm(options.find(({ value }) => value === detail.selectedOption.value))
              }
            />
          </FormField>
          <FormField
            label={
              <span>
                Name <i>- optional</i>
              </span>
            }
            description="Describe who uses it, so you know which token to revoke later."
            constraintText="Up to 100 characters."
          >
            <Input value={name} placeholder="Web shop" onChange={({ detail }) => setName(detail.value)} />
          </FormField>
        </>
      )}
    </CreateSecret>
  );
}

type MadeToken = Token & { readonly token: string };

interface NewTokenProps {
  readonly made: MadeToken;
  readonly forms: readonly ListedForm[];
  /** Created just now, on this page. */
  readonly isNew: boolean;
  readonly onStored: () => void;
}

/** Shows a new token, which can't be shown again. */
export function NewToken({ made, forms, isNew, onStored }: NewTokenProps) {
  const form = forms.find(({ formId }) => formId === made.formId) ?? forms[0];
  const url = form && tokenUrl(form.url);
  return (
    <SpaceBetween size="s">
      <ShownOnce
        title={`Server token “${made.name}” created`}
        value={made.token}
        what="token"
        takesFocus={isNew}
        onStored={onStored}
      />
      {url !== undefined && (
        <Container
          header={
            <Header
              variant="h2"
              description="Run this once. 202 means accepted. For anything else, see Diagnostics."
            >
              Send your first lead
            </Header>
          }
        >
          <Suspense fallback={<StatusIndicator type="loading">Loading the sample code</StatusIndicator>}>
            <TokenCode url={url} token={made.token} />
          </Suspense>
        </Container>
      )}
    </SpaceBetween>
  );
}

export const useNewTokens = () => useNewSecrets<MadeToken>('tokens', ({ tokenId }) => tokenId);
