// Made from docs/api/ingest.openapi.yaml by `npm run make:api-types`. Change the document instead.

export interface Operations {
  ingestFromServer: {
    request: Lead;
    responses: {
      '200': Rejected;
      '202': Accepted;
    };
  };
  ingestFromWebhook: {
    request: Lead;
    responses: {
      '200': Rejected;
      '202': Accepted;
    };
  };
  ingestFromTool: {
    request: Lead;
    responses: {
      '200': Accepted | Ignored;
      '503': Rejected;
    };
  };
}
export interface Lead {
  [k: string]: unknown;
}
export interface Rejected {
  status: 'rejected';
}
export interface Accepted {
  submission_id: string;
}
export interface Ignored {
  status: 'ignored';
}
