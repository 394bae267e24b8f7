// The error codes of management routes (docs/wire/errors.md#management).
import {
  type CommonCode,
  DISK_REFUSALS,
  type RefusalTable,
  UNAVAILABLE,
} from '../../core/refusals.ts'
import { TENANT_CEILING } from '../../platform/projects/quotas.ts'

const ROWS = {
  invalid_slug: {
    status: 400,
    cause: 'The slug is empty, too long, or contains characters other than a-z, 0-9 and _.',
    remedy: 'Send a slug of 1 to 44 of these characters.',
  },
  slug_reservado: {
    status: 400,
    cause: 'The slug is reserved for the platform.',
    remedy: 'Choose another slug.',
  },
  confirmation_required: {
    status: 400,
    cause: 'A purge has to repeat the tenant’s slug, and this request did not. Nothing was erased.',
    remedy: 'Send {"confirm_slug": "<slug>"} with exactly the tenant’s slug.',
  },
  invalid_request: {
    status: 400,
    cause: 'A field of the body or query is missing or invalid.',
    remedy: 'Correct the fields listed in details.',
  },
  invalid_json: {
    status: 400,
    cause: 'The body is not valid JSON.',
    remedy: 'Send a JSON object.',
  },
  transaction_control_blocked: {
    status: 400,
    cause: 'db/exec runs its SQL in one transaction, which the SQL cannot begin or end itself.',
    remedy: 'Remove begin, commit and rollback.',
  },
  unauthorized: {
    status: 401,
    link: 'credential',
    cause:
      'The credential is missing, expired, revoked, or of a kind that this route does not accept.',
    remedy:
      'Send a Group API Key to group routes, and the dashboard’s session token to platform routes.',
  },
  admin_token_required: {
    status: 401,
    link: 'credential',
    cause: 'The developer’s account can sign in from another machine only with the admin token.',
    remedy: 'Send "Authorization: Bearer <admin token>" with the token given to --admin-token.',
  },
  tenant_quota_exceeded: {
    status: 402,
    link: 'quota',
    cause:
      'The group’s template is on the free plan, and the group has used all its included tenants.',
    remedy:
      'Move the template to a larger plan, choose a template on a larger plan, or remove a tenant.',
  },
  forbidden: {
    status: 403,
    link: 'group',
    cause: 'The key is valid for another group or project, or the project is offline.',
    remedy: 'Use a key of the group or project in the address.',
  },
  role_change_blocked: {
    status: 403,
    link: 'role',
    cause: 'The SQL tries to change the role it runs as.',
    remedy: 'Remove set role and set session authorization.',
  },
  system_schema_protected: {
    status: 403,
    link: 'grant',
    cause: 'The SQL uses schemas or tables that belong to the platform.',
    remedy: 'Use only the project’s own schema.',
  },
  not_found: {
    status: 404,
    link: 'resource',
    cause:
      'The resource does not exist, was removed, or belongs to another account. The answer is the same in all three cases.',
    remedy: 'Compare the id or slug with the group’s list.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The route does not support this method.',
    remedy: 'Use a method that the header Allow lists.',
  },
  slug_taken: {
    status: 409,
    link: 'resource',
    cause: 'Another project has this slug, or a purged project had it. Slugs are never reused.',
    remedy: 'Choose another slug.',
  },
  email_taken: {
    status: 409,
    link: 'resource',
    cause: 'An account with this address exists.',
    remedy: 'Log in instead.',
  },
  bucket_taken: {
    status: 409,
    link: 'bucket',
    cause: 'A bucket with this name exists.',
    remedy: 'Choose another name.',
  },
  group_has_tenants: {
    status: 409,
    link: 'resource',
    cause: 'The group still has active tenants.',
    remedy: 'Remove its tenants first.',
  },
  postgres_unavailable: {
    status: 409,
    link: 'resource',
    cause: 'The emulator was started without a Postgres port.',
    remedy: 'Start the emulator with a Postgres port, or run the SQL through db/exec.',
  },
  template_protected: {
    status: 409,
    link: 'resource',
    cause: 'The project is the template of a group, so it cannot be purged.',
    remedy: 'Choose another template for that group first.',
  },
  template_indisponivel: {
    status: 409,
    link: 'resource',
    cause: 'The group’s template cannot be cloned at the moment. Nothing was created.',
    remedy: 'Publish a new version from the source, or choose another template for the group.',
  },
  fonte_indisponivel: {
    status: 409,
    link: 'resource',
    cause: 'The source has changed since its last synchronization. Nothing was created.',
    remedy:
      'Synchronize the source (in the emulator: turn off the simulated response source_out_of_sync), then repeat the request.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body is too large.',
    remedy: 'Send the data in several requests.',
  },
  clone_incompleto: {
    status: 500,
    link: 'fault',
    cause: 'Publishing stopped half-way. The unfinished template in the answer must not be used.',
    remedy: 'Publish again.',
  },
  internal: {
    status: 500,
    link: 'fault',
    cause: 'The emulator failed with an internal error and undid what it had started.',
    remedy:
      'Repeat the request. The terminal of the emulator shows the cause with the request’s id.',
  },
} as const

export type ManagementErrorCode = keyof typeof ROWS | 'tenant_limit_reached' | CommonCode

export const CONTROL_REFUSALS: RefusalTable<ManagementErrorCode> = {
  ...ROWS,
  tenant_limit_reached: {
    status: 402,
    link: 'quota',
    cause: `The group has ${TENANT_CEILING} active tenants, the limit of every plan.`,
    remedy: 'Remove tenants, or create the tenant in another group.',
  },
  unavailable: UNAVAILABLE,
  ...DISK_REFUSALS,
}
