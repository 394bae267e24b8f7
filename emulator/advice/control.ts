// Refusals of the management API and of the token exchanges, one entry per code (docs/wire/errors.md#management).
import type { ManagementErrorCode } from '../control/errors.ts'
import type { TokenExchangeCode } from '../credentials/token-exchange.ts'
import { FREE_PLAN_STORAGE, TENANT_CEILING } from '../projects/quotas.ts'
import { type Advice, advice, DISK_ADVICE } from './advice.ts'

export const CONTROL_ADVICE: Readonly<Record<ManagementErrorCode, Advice>> = {
  invalid_slug: advice(
    'request',
    'The slug is empty or has other characters than a-z, 0-9 and _.',
    'Send 1 to 44 of those.',
  ),
  slug_reservado: advice(
    'request',
    'The slug is one of the platform’s own names.',
    'Choose another.',
  ),
  confirmation_required: advice(
    'request',
    'A purge wants its slug repeated, and it was not; nothing was erased.',
    'Send {"confirm_slug": "<slug>"} with exactly the tenant’s slug.',
  ),
  invalid_request: advice(
    'request',
    'The body or query is not in form.',
    'details names the fields.',
  ),
  invalid_json: advice('request', 'The body is no JSON.', 'Send JSON.'),
  transaction_control_blocked: advice(
    'request',
    'db/exec runs its SQL in one transaction of its own.',
    'Leave begin, commit and rollback out.',
  ),
  unauthorized: advice(
    'credential',
    'The credential is missing, late, revoked, or of another kind than the route takes.',
    'Group routes take a Group API Key, platform routes the dashboard’s session token.',
  ),
  admin_token_required: advice(
    'credential',
    'The developer’s account signs in beyond this machine only with the admin token.',
    'Send "Authorization: Bearer <admin token>", the one given with --admin-token.',
  ),
  tenant_quota_exceeded: advice(
    'quota',
    'The template is on the free plan, and the group has used its included tenants.',
    'Move the template to a larger plan, point the group to a template on one, or remove a tenant.',
  ),
  tenant_limit_reached: advice(
    'quota',
    `The group has ${TENANT_CEILING} active tenants; no plan changes that.`,
    'Remove tenants, or use another group.',
  ),
  forbidden: advice(
    'group',
    'The key is good, but for another group or project; or the project is offline.',
    'Use a key made for the group or project in the address.',
  ),
  role_change_blocked: advice(
    'role',
    'The SQL would change who it runs as.',
    'Leave set role and set session authorization out.',
  ),
  system_schema_protected: advice(
    'grant',
    'The SQL reaches for the platform’s own schemas or tables.',
    'Work in the project’s own schema.',
  ),
  not_found: advice(
    'resource',
    'It does not exist, was removed, or belongs to somebody else; the answer does not say which.',
    'Compare the id or slug with the group’s list.',
  ),
  method_not_allowed: advice(
    'request',
    'The route has another method.',
    'The header Allow names it.',
  ),
  slug_taken: advice(
    'resource',
    'A project has this slug, or a purged one had it: slugs are never given again.',
    'Choose another slug.',
  ),
  email_taken: advice('resource', 'There is an account with this address.', 'Log in instead.'),
  bucket_taken: advice('bucket', 'There is a bucket of this name.', 'Choose another name.'),
  group_has_tenants: advice(
    'resource',
    'The group still has active tenants.',
    'Remove its tenants first.',
  ),
  postgres_unavailable: advice(
    'resource',
    'No Postgres port is open.',
    'Start the emulator with one, or run SQL through db/exec.',
  ),
  template_protected: advice(
    'resource',
    'The project is the template of a group and cannot be purged.',
    'Point that group to another template first.',
  ),
  template_indisponivel: advice(
    'resource',
    'The group’s template cannot be cloned now; nothing was created.',
    'Publish a new version from the source, or point the group to another template.',
  ),
  fonte_indisponivel: advice(
    'resource',
    'The source changed since it was last synchronised; nothing was created.',
    'Have it synchronised (here: disarm the switch source_out_of_sync), then repeat the call.',
  ),
  payload_too_large: advice('request', 'The body is too large.', 'Send it in several parts.'),
  clone_incompleto: advice(
    'fault',
    'The published template was not closed properly and must not be used.',
    'Publish again; the unusable project is named in the answer.',
  ),
  unavailable: advice(
    'fault',
    'The database was busy with other work, or was starting again.',
    'Repeat the request after the seconds that Retry-After names.',
  ),
  internal: advice(
    'fault',
    'The emulator failed, and undid what it had begun.',
    'Repeat the call; the terminal has the cause under the request’s id.',
  ),
  ...DISK_ADVICE,
}

/** POST /st/v1/token and POST /rt/v1/token. */
export const EXCHANGE_ADVICE: Readonly<Record<TokenExchangeCode | 'unauthorized', Advice>> = {
  unauthorized: advice(
    'credential',
    'The credential is missing, late, revoked, or an access_token.',
    'Send a project key, or the session’s data_plane_token.',
  ),
  storage_quota_exceeded: advice(
    'quota',
    `The project is on the free plan and its files take more than ${FREE_PLAN_STORAGE}.`,
    'Delete files, or move the project to a larger plan.',
  ),
  forbidden: advice(
    'project',
    'The project is not active, or the user behind the token was banned or deleted.',
    'Use a credential of an active project and user.',
  ),
  not_found: advice(
    'request',
    'There is only one route here.',
    'POST to /st/v1/token or /rt/v1/token.',
  ),
  method_not_allowed: advice('request', 'Tokens are exchanged with POST.', 'Use POST.'),
}
