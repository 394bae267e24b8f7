// Refusals of the management API and of the token exchanges, one entry per code (docs/wire/errors.md#management).

import type { TokenExchangeCode } from '../../platform/credentials/token-exchange.ts'
import { FREE_PLAN_STORAGE, TENANT_CEILING } from '../../platform/projects/quotas.ts'
import type { ManagementErrorCode } from '../../services/control/errors.ts'
import { type Advice, advice, DISK_ADVICE, UNAVAILABLE } from './advice.ts'

export const CONTROL_ADVICE: Readonly<Record<ManagementErrorCode, Advice>> = {
  invalid_slug: advice(
    'request',
    'The slug is empty, too long, or contains characters other than a-z, 0-9 and _.',
    'Send a slug of 1 to 44 of these characters.',
  ),
  slug_reservado: advice(
    'request',
    'The slug is reserved for the platform.',
    'Choose another slug.',
  ),
  confirmation_required: advice(
    'request',
    'A purge has to repeat the tenant’s slug, and this request did not. Nothing was erased.',
    'Send {"confirm_slug": "<slug>"} with exactly the tenant’s slug.',
  ),
  invalid_request: advice(
    'request',
    'A field of the body or query is missing or invalid.',
    'Correct the fields listed in details.',
  ),
  invalid_json: advice('request', 'The body is not valid JSON.', 'Send a JSON object.'),
  transaction_control_blocked: advice(
    'request',
    'db/exec runs its SQL in one transaction, which the SQL cannot begin or end itself.',
    'Remove begin, commit and rollback.',
  ),
  unauthorized: advice(
    'credential',
    'The credential is missing, expired, revoked, or of a kind that this route does not accept.',
    'Send a Group API Key to group routes, and the dashboard’s session token to platform routes.',
  ),
  admin_token_required: advice(
    'credential',
    'The developer’s account can sign in from another machine only with the admin token.',
    'Send "Authorization: Bearer <admin token>" with the token given to --admin-token.',
  ),
  tenant_quota_exceeded: advice(
    'quota',
    'The group’s template is on the free plan, and the group has used all its included tenants.',
    'Move the template to a larger plan, choose a template on a larger plan, or remove a tenant.',
  ),
  tenant_limit_reached: advice(
    'quota',
    `The group has ${TENANT_CEILING} active tenants, the limit of every plan.`,
    'Remove tenants, or create the tenant in another group.',
  ),
  forbidden: advice(
    'group',
    'The key is valid for another group or project, or the project is offline.',
    'Use a key of the group or project in the address.',
  ),
  role_change_blocked: advice(
    'role',
    'The SQL tries to change the role it runs as.',
    'Remove set role and set session authorization.',
  ),
  system_schema_protected: advice(
    'grant',
    'The SQL uses schemas or tables that belong to the platform.',
    'Use only the project’s own schema.',
  ),
  not_found: advice(
    'resource',
    'The resource does not exist, was removed, or belongs to another account. The answer is the same in all three cases.',
    'Compare the id or slug with the group’s list.',
  ),
  method_not_allowed: advice(
    'request',
    'The route does not support this method.',
    'Use a method that the header Allow lists.',
  ),
  slug_taken: advice(
    'resource',
    'Another project has this slug, or a purged project had it. Slugs are never reused.',
    'Choose another slug.',
  ),
  email_taken: advice('resource', 'An account with this address exists.', 'Log in instead.'),
  bucket_taken: advice('bucket', 'A bucket with this name exists.', 'Choose another name.'),
  group_has_tenants: advice(
    'resource',
    'The group still has active tenants.',
    'Remove its tenants first.',
  ),
  postgres_unavailable: advice(
    'resource',
    'The emulator was started without a Postgres port.',
    'Start the emulator with a Postgres port, or run the SQL through db/exec.',
  ),
  template_protected: advice(
    'resource',
    'The project is the template of a group, so it cannot be purged.',
    'Choose another template for that group first.',
  ),
  template_indisponivel: advice(
    'resource',
    'The group’s template cannot be cloned at the moment. Nothing was created.',
    'Publish a new version from the source, or choose another template for the group.',
  ),
  fonte_indisponivel: advice(
    'resource',
    'The source has changed since its last synchronization. Nothing was created.',
    'Synchronize the source (in the emulator: turn off the simulated response source_out_of_sync), then repeat the request.',
  ),
  payload_too_large: advice(
    'request',
    'The body is too large.',
    'Send the data in several requests.',
  ),
  clone_incompleto: advice(
    'fault',
    'Publishing stopped half-way. The unfinished template in the answer must not be used.',
    'Publish again.',
  ),
  unavailable: UNAVAILABLE,
  internal: advice(
    'fault',
    'The emulator failed with an internal error and undid what it had started.',
    'Repeat the request. The terminal of the emulator shows the cause with the request’s id.',
  ),
  ...DISK_ADVICE,
}

/** Advice for POST /st/v1/token and POST /rt/v1/token. */
export const EXCHANGE_ADVICE: Readonly<Record<TokenExchangeCode | 'unauthorized', Advice>> = {
  unauthorized: advice(
    'credential',
    'The credential is missing, expired or revoked, or it is an access_token.',
    'Send a project key, or the session’s data_plane_token.',
  ),
  storage_quota_exceeded: advice(
    'quota',
    `The project is on the free plan, and its files take more than ${FREE_PLAN_STORAGE}.`,
    'Delete files, or move the project to a larger plan.',
  ),
  forbidden: advice(
    'project',
    'The project is not active, or the token’s user was banned or deleted.',
    'Use a credential of an active project and user.',
  ),
  not_found: advice(
    'request',
    'This service has only the token route.',
    'POST to /st/v1/token or /rt/v1/token.',
  ),
  method_not_allowed: advice(
    'request',
    'The token route supports only POST.',
    'Use POST to exchange the token.',
  ),
}
