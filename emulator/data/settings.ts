// PostgREST's configuration as a plain value for each request. admit.ts fills it for the platform; the conformance suite fills
// it in other ways. The pipeline reads no other configuration.
import type { JsonObject } from '../core/json.ts'
import type { RoleName, SchemaName } from '../core/names.ts'
import type { PrincipalRole } from '../core/principal.ts'
import type { IsolationLevel } from '../database/as-principal.ts'

export interface QualifiedName {
  readonly schema: string
  readonly name: string
}

/** A role's settings from `ALTER ROLE … SET`. */
export interface RoleSettings {
  readonly isolation: IsolationLevel | undefined
  readonly settings: Readonly<Record<string, string>>
}

export interface DataSettings {
  /** Schemas that a profile header may name; the first is the default. */
  readonly schemas: readonly string[]
  /** Schemas searched after the requested one, for operators, types and functions. */
  readonly extraSearchPath: readonly string[]
  /** Limit of rows of a read or a call, at each level; `undefined` for no limit. */
  readonly maxRows: number | undefined
  /** How a transaction ends, and whether `Prefer: tx=…` may override it. */
  readonly txEnd: 'commit' | 'rollback'
  readonly txAllowOverride: boolean
  readonly aggregatesEnabled: boolean
  /** Whether `application/vnd.pgrst.plan` is available. */
  readonly planEnabled: boolean
  readonly openApiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled'
  /** Whether the document at `/` declares that a token is needed. */
  readonly hasOpenApiSecurity?: boolean
  /** The data plane's address as callers know it. */
  readonly publicUrl?: string
  /** A function that answers `/` instead of the OpenAPI document. */
  readonly rootRoutine: QualifiedName | undefined
  /** Runs before the main statement, in its transaction. */
  readonly preRequest: QualifiedName | undefined
  /** `app.settings.*` and the like, set local to the transaction. */
  readonly appSettings: Readonly<Record<string, string>>
  /** Function settings that apply to the whole transaction. */
  readonly hoistedTxSettings: readonly string[]
  /** By role. The platform's roles are shared by all tenants and have none. */
  readonly roleSettings?: ReadonlyMap<string, RoleSettings>
  /** Limit of a statement in wall milliseconds, unless the role or the function sets another. */
  readonly timeoutMillis: number
  /** Limit of a response in bytes. A larger one is refused and its transaction rolled back. `undefined` for no limit. */
  readonly maxResultBytes?: number
}

/** The caller, as the pipeline knows it. */
export interface DataActor {
  readonly schemaName: SchemaName
  readonly role: PrincipalRole | RoleName
  /** The request is anonymous: a missing privilege is 401 instead of 403. */
  readonly isAnonymous: boolean
  readonly claims: JsonObject
  /** The value of `request.jwt.claims`. */
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
