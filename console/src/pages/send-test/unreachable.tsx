import Alert from '@cloudscape-design/components/alert';

interface UnreachableProps {
  readonly url: string;
  readonly status: number | undefined;
  readonly milliseconds: number;
}

export function Unreachable({ url, status, milliseconds }: UnreachableProps) {
  return (
    <Alert type="error" header="The form's address gave no usable answer">
      {status === undefined ? (
        <div>
          Nothing came back within {Math.max(1, Math.round(milliseconds / 1000))} s from{' '}
          <span className="value">{url}</span>.
        </div>
      ) : (
        <div>
          <span className="value">{url}</span> answered with {status}, which the service itself never does to
          a submission: something in between did.
        </div>
      )}
      <ul>
        <li>Send it again: the first request after a pause takes longer.</li>
        <li>Does a domain of your own, a proxy or a firewall stand before the service? Look there.</li>
        <li>
          If it goes on, tell whoever runs this service. Whether the lead has arrived all the same you see in
          the form’s leads.
        </li>
      </ul>
    </Alert>
  );
}
