// PostgREST's configuration as a plain value for each request. app.ts creates it for the platform, and the conformance suite
// creates other values. The pipeline reads no other configuration.
import type { SchemaName } from '../../core/names.ts'
import type { IsolationLevel } from '../../database/as-principal.ts'

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
  /** Schemas that a profile header can select. The first schema is the default. */
  readonly schemas: readonly string[]
  /** Schemas to search after the requested schema for operators, types and functions. */
  readonly extraSearchPath: readonly string[]
  /** Maximum number of rows of a read or a call, at the root and in each embed. `undefined` means no limit. */
  readonly maxRows: number | undefined
  /** Whether transactions commit or roll back, and whether `Prefer: tx=…` can override this. */
  readonly txEnd: 'commit' | 'rollback'
  readonly txAllowOverride: boolean
  readonly aggregatesEnabled: boolean
  /** Whether `application/vnd.pgrst.plan` is available. */
  readonly planEnabled: boolean
  readonly openApiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled'
  /** Whether the OpenAPI document at `/` declares that requests need a token. */
  readonly hasOpenApiSecurity?: boolean
  /** The address at which callers reach the data plane. */
  readonly publicUrl?: string
  /** A function that answers `/` instead of the OpenAPI document. */
  readonly rootRoutine: QualifiedName | undefined
  /** A function that runs before the main statement, in the same transaction. */
  readonly preRequest: QualifiedName | undefined
  /** Settings such as `app.settings.*`, set for the transaction. */
  readonly appSettings: Readonly<Record<string, string>>
  /** Names of settings that a function applies to its whole transaction, not only to its own call. */
  readonly hoistedTxSettings: readonly string[]
  /** Settings by role. The platform's roles have no settings, because all tenants share these roles. */
  readonly roleSettings?: ReadonlyMap<string, RoleSettings>
  /** Maximum duration of a statement in wall-clock milliseconds, unless the role or the function sets its own. */
  readonly timeoutMillis: number
  /**
   * Maximum size of a response in bytes. A larger response is refused and its transaction rolled back. `undefined` means no
   * limit.
   */
  readonly maxResultBytes?: number
}

/** The platform's settings for a tenant (statement timeout 8 s; docs/wire/data-plane.md#transaction). */
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
