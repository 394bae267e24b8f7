// What PostgREST calls its configuration, as a plain value per request: the platform's gate fills it, and any other
// host may fill it otherwise. Nothing behind the gate reads anything else.
import type { JsonObject } from '../core/json.ts'
import type { RoleName, SchemaName } from '../core/names.ts'
import type { PrincipalRole } from '../core/principal.ts'
import type { IsolationLevel } from '../database/as-principal.ts'

export interface QualifiedName {
  readonly schema: string
  readonly name: string
}

/** What `ALTER ROLE … SET` says of a role. */
export interface RoleSettings {
  readonly isolation: IsolationLevel | undefined
  readonly settings: Readonly<Record<string, string>>
}

export interface DataSettings {
  /** Schemas a profile header may name; the first is the default. */
  readonly schemas: readonly string[]
  /** Schemas searched after the requested one, for operators, types and functions. */
  readonly extraSearchPath: readonly string[]
  /** Most rows a read or a call returns, at each level; `undefined` for no bound. */
  readonly maxRows: number | undefined
  /** How a transaction ends, and whether `Prefer: tx=…` may say otherwise. */
  readonly txEnd: 'commit' | 'rollback'
  readonly txAllowOverride: boolean
  readonly aggregatesEnabled: boolean
  /** Whether `application/vnd.pgrst.plan` is answered. */
  readonly planEnabled: boolean
  readonly openApiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled'
  /** Whether the document at `/` says that a token is wanted. */
  readonly hasOpenApiSecurity?: boolean
  /** The data plane's address as callers know it. */
  readonly publicUrl?: string
  /** A function that answers at `/` in place of the OpenAPI document. */
  readonly rootRoutine: QualifiedName | undefined
  /** Runs before the main statement, in its transaction. */
  readonly preRequest: QualifiedName | undefined
  /** `app.settings.*` and the like, set local to the transaction. */
  readonly appSettings: Readonly<Record<string, string>>
  /** Function settings applied to the whole transaction rather than to the call. */
  readonly hoistedTxSettings: readonly string[]
  /** By role. The platform's roles are shared by all tenants and have none. */
  readonly roleSettings?: ReadonlyMap<string, RoleSettings>
  /** Wall milliseconds a statement may run, unless the role or the function says otherwise. */
  readonly timeoutMillis: number
  /** Bytes of an answer; a larger one is refused, and its transaction rolled back. `undefined` for no bound. */
  readonly maxResultBytes?: number
}

/** Who acts, for the pipeline behind the gate. */
export interface DataActor {
  readonly schemaName: SchemaName
  readonly role: PrincipalRole | RoleName
  /** True when nobody in particular asks: a missing privilege then answers 401 instead of 403. */
  readonly isAnonymous: boolean
  readonly claims: JsonObject
  /** What `request.jwt.claims` receives. */
  readonly claimsText: string
}

/** The platform's settings for a tenant (timeout: 8 s; docs/wire/data-plane.md#transaction). */
export function tenantSettings(schemaName: SchemaName, timeoutMillis: number): DataSettings {
  return {
    schemas: [schemaName],
    extraSearchPath: ['extensions'],
    maxRows: undefined,
    txEnd: 'commit',
    txAllowOverride: true,
    aggregatesEnabled: true,
    planEnabled: false,
    openApiMode: 'follow-privileges',
    rootRoutine: undefined,
    preRequest: undefined,
    appSettings: {},
    hoistedTxSettings: [
      'statement_timeout',
      'plan_filter.statement_cost_limit',
      'default_transaction_isolation',
    ],
    timeoutMillis,
  }
}
