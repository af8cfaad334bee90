import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../contract.ts';
import { base62 } from '../../core/base62.ts';
import type { Form } from '../../core/configuration.ts';
import { makeSlug } from '../../core/slug.ts';
import { AdministrationError, requireName } from './administration-error.ts';
import type { AdministrationContext } from './context.ts';
import { findById } from './find-by-id.ts';
import type { WorkspaceAdministration } from './workspaces.ts';

export interface FormRecord extends Form {
  readonly name: string;
  readonly createdAt: string;
}

export type FormAdministration = ReturnType<typeof formAdministration>;

export function formAdministration(
  { client, tables, now, randomBytes }: AdministrationContext,
  workspaces: WorkspaceAdministration,
) {
  async function create({ workspaceId, name }: { workspaceId: string; name: string }): Promise<FormRecord> {
    await workspaces.requireExisting(workspaceId);
    const form: FormRecord = {
      slug: makeSlug(requireName(name, 'form'), Buffer.from(randomBytes(5)).toString('hex')),
      formId: `form_${base62(randomBytes(16))}`,
      workspaceId,
      name: name.trim(),
      active: true,
      createdAt: new Date(now()).toISOString(),
    };
    await client.send(
      new PutCommand({
        TableName: tables.forms,
        Item: { ...form, v: 1 },
        ConditionExpression: 'attribute_not_exists(slug)',
      }),
    );
    return form;
  }

  async function require(formId: string): Promise<FormRecord> {
    const at = {
      table: tables.forms,
      index: INDEXES.formsById,
      idName: 'formId',
      keyNames: ['slug', 'formId'],
    };
    const form = await findById<FormRecord>(client, at, formId);
    if (!form) throw new AdministrationError('not_found', `There is no form ${formId}.`);
    return form;
  }

  async function setActive({ formId, active }: { formId: string; active: boolean }) {
    const { slug, workspaceId } = await require(formId);
    await client.send(
      new UpdateCommand({
        TableName: tables.forms,
        Key: { slug, formId },
        UpdateExpression: 'SET active = :active',
        ConditionExpression: 'attribute_exists(slug)',
        ExpressionAttributeValues: { ':active': active },
      }),
    );
    await workspaces.raiseConfigVersion(workspaceId);
    return { formId, slug, workspaceId, active };
  }

  return { create, require, setActive };
}
