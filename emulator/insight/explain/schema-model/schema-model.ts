// The facts of a schema that rules about policies need: which policies apply to which rows, and which relations they read.
// `migrate lint` builds the model from the text of steps, and the audit builds it from a tenant's structure.
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { References } from './references.ts'

export interface ModelPolicy {
  readonly name: string
  readonly table: string
  readonly command: string
  readonly permissive: boolean
  /** `public` means every role. */
  readonly roles: readonly string[]
  readonly using: References
  readonly check: References
}

export interface ModelKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly target: string
}

export interface ModelTable {
  readonly name: string
  readonly hasRowSecurity: boolean
  /** Policies also apply to the owner. */
  readonly isForced: boolean
  readonly isUnlogged: boolean
  readonly foreignKeys: readonly ModelKey[]
  /** Columns of each index that covers all rows, those of primary keys and unique constraints included. */
  readonly indexes: readonly (readonly string[])[]
}

export interface ModelView {
  readonly references: References
  /** Reads with its caller's rights. */
  readonly isInvoker: boolean
}

export interface ModelFunction {
  readonly references: References
  /** Runs with its owner's rights. */
  readonly isDefiner: boolean
}

export interface SchemaModel {
  readonly parser: SqlParser
  readonly tables: Map<string, ModelTable>
  readonly views: Map<string, ModelView>
  /** Functions with the same name share one entry. */
  readonly functions: Map<string, ModelFunction>
  /** By `policyKey`. */
  readonly policies: Map<string, ModelPolicy>
}

export function emptyModel(parser: SqlParser): SchemaModel {
  return {
    parser,
    tables: new Map(),
    views: new Map(),
    functions: new Map(),
    policies: new Map(),
  }
}

export function policyKey(table: string, policy: string): string {
  return `${table}\0${policy}`
}

export function policiesOf({ policies }: SchemaModel, table: string): readonly ModelPolicy[] {
  return [...policies.values()].filter((policy) => policy.table === table)
}
