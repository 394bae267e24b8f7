// Closed lists of values that the API, the UI and the command line offer. This file does not import zod, so that pages can use
// it.

export { LEDGER_TABLE } from '../core/names.ts'
export { PLAN_TIERS, type PlanTier } from '../core/plan-tiers.ts'

export const ROLES = ['anon', 'authenticated', 'service_role'] as const

export const AUTH_PROVIDERS = ['google', 'github', 'apple'] as const
export const WHATSAPP_STATES = ['works', 'not_configured', 'send_failed'] as const
export const SMS_STATES = ['works', 'not_configured'] as const

export const USER_ORDERS = ['created', 'seen', 'address'] as const

export const MESSAGE_CHANNELS = ['email', 'whatsapp', 'sms'] as const
export const MESSAGE_PURPOSES = [
  'confirmation',
  'one_time_code',
  'magic_link',
  'password_reset',
] as const

export const FAULT_SERVICES = ['control', 'auth', 'data', 'storage', 'realtime'] as const
export const FAULT_KINDS = [
  'error',
  'latency',
  'answer_lost',
  'connection_dropped',
  'disk_full',
  'realtime_disconnect',
  'realtime_delay',
  'realtime_duplicate',
] as const

export const SWITCHES = [
  'template_deleted',
  'template_dedicated_misaligned',
  'source_out_of_sync',
  'clone_incomplete',
  'purge_pending',
  'provision_fails',
  'storage_over_quota',
] as const

/** Switches that provisioning and publishing read of a group's template (docs/wire/platform.md#provision). */
export const TEMPLATE_SWITCHES: ReadonlySet<(typeof SWITCHES)[number]> = new Set([
  'template_deleted',
  'template_dedicated_misaligned',
  'source_out_of_sync',
  'clone_incomplete',
  'provision_fails',
])

export const ROW_COMMANDS = ['select', 'insert', 'update', 'delete'] as const
export const ROW_OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'like',
  'ilike',
  'is_null',
  'is_not_null',
] as const

/** Kinds of credentials that POST /tokens/mint can mint. */
export const MINTED_KINDS = [
  'data_plane_token',
  'storage_token',
  'realtime_token',
  'anon_key',
  'service_role_key',
] as const

export const FILE_FORMATS = ['csv', 'json'] as const

/** Risks of a schema. `migrate lint` finds these risks in the text of steps; the audit finds them in a tenant. */
export const EXPOSURE_RULES = [
  'row-security-missing',
  'policy-always-true',
  'grant-to-anon',
  'definer-search-path',
  'view-skips-policies',
  'policy-recursion',
  'realtime-cannot-judge',
  'unindexed-foreign-key',
  'unlogged-table',
] as const

export const LINT_RULES = [
  'syntax',
  'refused',
  'needs-own-transaction',
  'enum-value-too-early',
  'drops-data',
  'changes-every-row',
  'breaks-clients',
  'rewrites-table',
  'blocks-readers',
  'blocks-writers',
  'row-security-off',
  ...EXPOSURE_RULES,
] as const

export const AUDIT_RULES = [
  ...EXPOSURE_RULES,
  'no-policy',
  'open-to-everybody',
  'policy-fails',
  'sees-more',
  'sees-less',
  'contract-widened',
] as const

/** Kinds of entries in the activity of a user. */
export const ACTIVITY_KINDS = ['request', 'message', 'file', 'change'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** A user who has just signed up: signed in, but the owner of no row, because no existing user has this id. */
export const NEW_USER = { id: '00000000-0000-4000-8000-00000000a0d1', label: 'new user' } as const
