// Operations of the management API with the codes each documents (docs/wire/errors.md#management).
import { type FaultOperation, rowsOf } from './fault-operation.ts'

const row = rowsOf({
  service: 'control',
  door: 'control',
  dialect: 'control',
  always: [
    'unauthorized',
    'method_not_allowed',
    'internal',
    'unavailable',
    'disk_full',
    'disk_failed',
  ],
})
const BODY = ['invalid_json', 'invalid_request', 'payload_too_large']
/** Of whoever is not the owner, or has a key of another group. */
const OWNED = ['not_found', 'forbidden']

export const CONTROL_OPERATIONS: readonly FaultOperation[] = [
  row('account.login', 'POST /platform/v1/session', 'Signs in to the dashboard', [
    'admin_token_required',
    ...BODY,
  ]),
  row('account.signup', 'POST /platform/v1/signup', 'Makes a dashboard account', [
    'email_taken',
    ...BODY,
  ]),
  row('project.create', 'POST /platform/v1/projects', 'Makes a project', [
    'invalid_slug',
    'slug_reservado',
    'slug_taken',
    ...BODY,
  ]),
  row('project.list', 'GET,HEAD /platform/v1/projects', 'Lists projects'),
  row('project.read', 'GET,HEAD /platform/v1/projects/:id', 'Reads a project', OWNED),
  row('project.update', 'PATCH /platform/v1/projects/:id', 'Changes a project', [
    ...OWNED,
    ...BODY,
  ]),
  row('project.delete', 'DELETE /platform/v1/projects/:id', 'Removes a project', [
    'template_protected',
    ...OWNED,
  ]),
  row(
    'project.regenerate_keys',
    'POST /platform/v1/projects/:id/keys/regenerate',
    'Makes new project keys',
    OWNED,
  ),
  row('management_key.list', 'GET,HEAD /platform/v1/projects/:id/db/keys', 'Lists keys', OWNED),
  row('management_key.create', 'POST /platform/v1/projects/:id/db/keys', 'Makes a management key', [
    ...OWNED,
    ...BODY,
  ]),
  row(
    'management_key.revoke',
    'DELETE /platform/v1/projects/:id/db/keys/:key',
    'Revokes a management key',
    OWNED,
  ),
  row('database.exec', 'POST /platform/v1/projects/:id/db/exec', 'Runs SQL as the owner', [
    'transaction_control_blocked',
    'role_change_blocked',
    'system_schema_protected',
    ...OWNED,
    ...BODY,
  ]),
  row(
    'database.connection_string',
    'GET,HEAD /platform/v1/projects/:id/db/connection-string',
    'Tells where Postgres is',
    ['postgres_unavailable', ...OWNED],
  ),
  row('bucket.list', 'GET,HEAD /platform/v1/projects/:id/buckets', 'Lists buckets', OWNED),
  row('bucket.create', 'POST /platform/v1/projects/:id/buckets', 'Makes a bucket of 50 MB', [
    'bucket_taken',
    ...OWNED,
    ...BODY,
  ]),
  row('group.create', 'POST /platform/v1/groups', 'Makes a group', ['not_found', ...BODY]),
  row('group.list', 'GET,HEAD /platform/v1/groups', 'Lists groups'),
  row('group.read', 'GET,HEAD /platform/v1/groups/:group', 'Reads a group', ['not_found']),
  row('group.update', 'PATCH /platform/v1/groups/:group', 'Changes a group', [
    'not_found',
    'template_indisponivel',
    ...BODY,
  ]),
  row('group.delete', 'DELETE /platform/v1/groups/:group', 'Deletes a group', [
    'group_has_tenants',
    'not_found',
  ]),
  row('group_key.list', 'GET,HEAD /platform/v1/groups/:group/keys', 'Lists keys', ['not_found']),
  row('group_key.create', 'POST /platform/v1/groups/:group/keys', 'Makes a Group API Key', [
    'not_found',
    ...BODY,
  ]),
  row('group_key.revoke', 'DELETE /platform/v1/groups/:group/keys/:key', 'Revokes a key', [
    'not_found',
  ]),
  row('group.overview', 'GET,HEAD /groups/v1/:group', 'Tells of a group', ['forbidden']),
  ...['/groups/v1/:group', '/platform/v1/groups/:group'].map((group) =>
    row(
      group.startsWith('/groups') ? 'template.publish' : 'template.publish_as_owner',
      `POST ${group}/template/publish`,
      'Freezes the source into a new template',
      [
        'fonte_indisponivel',
        'clone_incompleto',
        'invalid_slug',
        'slug_reservado',
        'slug_taken',
        ...(group.startsWith('/groups') ? ['forbidden'] : ['not_found']),
        ...BODY,
      ],
    ),
  ),
  row('tenant.provision', 'POST /groups/v1/:group/tenants', 'Provisions a tenant', [
    'invalid_slug',
    'slug_reservado',
    'slug_taken',
    'tenant_quota_exceeded',
    'tenant_limit_reached',
    'template_indisponivel',
    'forbidden',
    ...BODY,
  ]),
  row('tenant.list', 'GET,HEAD /groups/v1/:group/tenants', 'Lists tenants', [
    'forbidden',
    'invalid_request',
  ]),
  row('tenant.read', 'GET,HEAD /groups/v1/:group/tenants/:tenant', 'Reads a tenant', OWNED),
  row('tenant.remove', 'DELETE /groups/v1/:group/tenants/:tenant', 'Removes a tenant', OWNED),
  row('tenant.purge', 'DELETE /groups/v1/:group/tenants/:tenant/purge', 'Erases a tenant', [
    'confirmation_required',
    'template_protected',
    'pendente',
    ...OWNED,
    ...BODY,
  ]),
  row(
    'tenant.create_key',
    'POST /groups/v1/:group/tenants/:tenant/keys',
    'Makes a management key of a tenant',
    [...OWNED, ...BODY],
  ),
]
