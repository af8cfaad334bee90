import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useDeferredValue, useMemo, useState } from 'react';
import { type CurlRequest, looksLikeCurl, parseCurl } from '../curl/parse-curl.ts';
import type { BodyKind, FieldProblems, PastedParts } from './debug-request.ts';
import { formatBytes } from './mark-difference.ts';

interface CommandInputProps {
  readonly url: string;
  readonly command: string;
  readonly problem: string | undefined;
  readonly onChange: (command: string) => void;
  readonly onGiveParts: () => void;
}

export function CommandInput({ url, command, problem, onChange, onGiveParts }: CommandInputProps) {
  // Keeps typing responsive while a long command is parsed.
  const settled = useDeferredValue(command);
  const read = useMemo(() => parseCurl(settled), [settled]);
  return (
    <SpaceBetween size="m">
      <FormField
        label="curl command"
        description="Use the actual values, not variables. The command is parsed here and never run."
        errorText={problem}
        stretch
      >
        <div className="code-input">
          <Textarea
            value={command}
            rows={8}
            spellcheck={false}
            placeholder={`curl ${url} -H 'X-SVC-Timestamp: …' -H 'X-SVC-Signature: …' -d '{…}'`}
            onChange={({ detail }) => onChange(detail.value)}
          />
        </div>
      </FormField>
      {read && <ReadCommand read={read} onGiveParts={onGiveParts} />}
    </SpaceBetween>
  );
}

interface ReadCommandProps {
  readonly read: CurlRequest;
  readonly onGiveParts: () => void;
}

const NOT_THERE = 'Not found';

/** What was parsed from the command. */
function ReadCommand({ read, onGiveParts }: ReadCommandProps) {
  const { timestamp, signature, body, unreadable } = read;
  const isRead = unreadable.length === 0 || [timestamp, signature, body].some((part) => part !== undefined);
  return (
    <SpaceBetween size="s">
      {isRead && (
        <KeyValuePairs
          columns={3}
          items={[
            { label: 'Timestamp', value: <Value text={timestamp} /> },
            { label: 'Signature', value: <Value text={signature} /> },
            { label: 'Body', value: body ? formatBytes(body.length) : NOT_THERE },
          ]}
        />
      )}
      {unreadable.length > 0 && (
        <Alert
          type="warning"
          header="The command doesn’t contain the whole request"
          action={<Button onClick={onGiveParts}>Enter values separately</Button>}
        >
          {unreadable.map((sentence) => (
            <div key={sentence} className="value">
              {sentence}
            </div>
          ))}
        </Alert>
      )}
    </SpaceBetween>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? NOT_THERE : <span className="value">{text}</span>;
}

interface PartsInputProps {
  readonly parts: PastedParts;
  readonly problems: FieldProblems;
  readonly onChange: (parts: PastedParts) => void;
  /** A whole command was pasted into one of the fields. */
  readonly onCommand: (command: string) => void;
}

export function PartsInput({ parts, problems, onChange, onCommand }: PartsInputProps) {
  const change = (name: 'timestamp' | 'signature' | 'body') => (value: string) => {
    // Only when pasted into an empty field, not while typing.
    if (parts[name] === '' && looksLikeCurl(value)) onCommand(value);
    else onChange({ ...parts, [name]: value });
  };
  return (
    <SpaceBetween size="m">
      <FormField label="X-SVC-Timestamp" description="Exactly as sent." errorText={problems.timestamp}>
        <Input
          value={parts.timestamp}
          placeholder="1794744010"
          autoComplete="off"
          spellcheck={false}
          onChange={({ detail }) => change('timestamp')(detail.value)}
        />
      </FormField>
      <FormField label="X-SVC-Signature" description="Exactly as sent." errorText={problems.signature}>
        <Input
          value={parts.signature}
          placeholder="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
          autoComplete="off"
          spellcheck={false}
          onChange={({ detail }) => change('signature')(detail.value)}
        />
      </FormField>
      <BodyInput parts={parts} problem={problems.body} onChange={onChange} onText={change('body')} />
    </SpaceBetween>
  );
}

interface BodyInputProps {
  readonly parts: PastedParts;
  readonly problem: string | undefined;
  readonly onChange: (parts: PastedParts) => void;
  readonly onText: (text: string) => void;
}

const HINTS: Readonly<Record<BodyKind, string>> = {
  text: 'Exactly as sent, including every space and line break. Text fields convert CRLF to LF; if that matters, use base64 or a file.',
  base64: 'The base64-encoded body, as API gateways log it.',
  file: 'A file that contains exactly the body. Only its contents are sent.',
};

function BodyInput({ parts, problem, onChange, onText }: BodyInputProps) {
  const { body, bodyKind } = parts;
  const [files, setFiles] = useState<File[]>([]);
  const read = async ([file]: File[]) => {
    const bytes = file && new Uint8Array(await file.arrayBuffer());
    onChange({ ...parts, file: bytes });
  };
  return (
    <SpaceBetween size="xs">
      <SegmentedControl
        label="Body format"
        selectedId={bodyKind}
        onChange={({ detail }) => onChange({ ...parts, bodyKind: detail.selectedId as BodyKind })}
        options={[
          { id: 'text', text: 'Text' },
          { id: 'base64', text: 'Base64' },
          { id: 'file', text: 'File' },
        ]}
      />
      <FormField label="Body" description={HINTS[bodyKind]} errorText={problem} stretch>
        {bodyKind === 'file' ? (
          <FileUpload
            value={files}
            onChange={({ detail }) => {
              setFiles(detail.value);
              void read(detail.value);
            }}
            showFileSize
            i18nStrings={{
              uploadButtonText: () => 'Choose file',
              dropzoneText: () => 'Drop file here',
              removeFileAriaLabel: () => 'Remove file',
              limitShowFewer: 'Show fewer',
              limitShowMore: 'Show more',
              errorIconAriaLabel: 'Error',
            }}
          />
        ) : (
          <div className="code-input">
            <Textarea
              value={body}
              rows={6}
              spellcheck={false}
              placeholder={bodyKind === 'text' ? '{"name":"Ada Byron"}' : 'eyJuYW1lIjoiQWRhIEJ5cm9uIn0='}
              onChange={({ detail }) => onText(detail.value)}
            />
          </div>
        )}
      </FormField>
    </SpaceBetween>
  );
}
