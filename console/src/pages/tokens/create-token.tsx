import CodeView from '@cloudscape-design/code-view/code-view';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { ListedForm, Token } from '../../api/types.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { formNames } from '../../shared/forms.ts';
import { ShownOnce } from '../../shared/shown-once.tsx';
import { useShownOnce } from '../../shared/shown-once-memory.tsx';
import { curlLine, tokenUrl } from './tokens.ts';

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
  const [asked, setAsked] = useState(false);
  const create = useChange<{ formId: string; name: string }, MadeToken>((input) => ({
    method: 'POST',
    path: '/settings/tokens',
    body: input.name === '' ? { formId: input.formId } : input,
  }));

  function send() {
    setAsked(true);
    if (!form) return;
    // Closing the dialog may be skipped if the owner left the page; keeping the token may not.
    const made = create.mutateAsync({ formId: form.value, name: name.trim() }, { onSuccess: onClose });
    made.then(onMade, () => undefined);
  }

  return (
    <FormDialog
      title="Create server token"
      action="Create"
      busy={create.isPending}
      problem={create.error ? errorMessage(create.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
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
      </SpaceBetween>
    </FormDialog>
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
  const command = form && curlLine(tokenUrl(form.url), made.token);
  return (
    <SpaceBetween size="s">
      <ShownOnce
        title={`Server token “${made.name}” created`}
        value={made.token}
        what="token"
        takesFocus={isNew}
        onStored={onStored}
      />
      {command && (
        <Container
          header={
            <Header
              variant="h2"
              description="Run this in a terminal. 202 means accepted. For anything else, see Diagnostics."
            >
              Send your first lead
            </Header>
          }
        >
          <CodeView
            content={command}
            wrapLines
            actions={
              <CopyToClipboard
                copyButtonAriaLabel="Copy command"
                textToCopy={command}
                copySuccessText="Copied the command"
                copyErrorText="Couldn’t copy the command. Select and copy it manually."
              />
            }
          />
        </Container>
      )}
    </SpaceBetween>
  );
}

/** New tokens that the owner hasn't confirmed yet, newest first. */
export function useNewTokens() {
  const { value = [], isNew, showWith, leave } = useShownOnce<readonly MadeToken[]>('tokens');
  return {
    tokens: value,
    isNew,
    show: (made: MadeToken) => showWith((shown = []) => [made, ...shown]),
    putAway: (tokenId: string) =>
      leave((shown = []) => {
        const left = shown.filter((token) => token.tokenId !== tokenId);
        return left.length === 0 ? undefined : left;
      }),
  };
}
