// A schema's structure as plain records, for cloning and comparing. A structure has no rows and none of the platform's objects
// (`auth_*`). Every list is sorted by key, so that equal structures have equal JSON.
import type { SchemaName } from '../../core/names.ts'
import type { CollationRecord, ConversionRecord } from '../catalog/collations.ts'
import type { CommentRecord } from '../catalog/comments.ts'
import type { ConstraintRecord } from '../catalog/constraints.ts'
import type { DependencyRecord } from '../catalog/dependencies.ts'
import type { DefaultPrivilegesRecord, GrantRecord } from '../catalog/grants.ts'
import type { IndexRecord, StatisticsRecord } from '../catalog/indexes.ts'
import type { CastRecord, OperatorRecord } from '../catalog/operators.ts'
import type { PolicyRecord } from '../catalog/policies.ts'
import type { RelationRecord } from '../catalog/relations.ts'
import type { RoutineRecord } from '../catalog/routines.ts'
import type { SequenceRecord } from '../catalog/sequences.ts'
import type { ConfigurationRecord, DictionaryRecord } from '../catalog/text-search.ts'
import type { FiringRecord } from '../catalog/triggers.ts'
import type { TypeRecord } from '../catalog/types.ts'

export interface SchemaStructure {
  readonly schemaName: SchemaName
  readonly schemaComment?: string
  readonly collations: readonly CollationRecord[]
  readonly conversions: readonly ConversionRecord[]
  readonly dictionaries: readonly DictionaryRecord[]
  readonly configurations: readonly ConfigurationRecord[]
  readonly types: readonly TypeRecord[]
  readonly sequences: readonly SequenceRecord[]
  readonly routines: readonly RoutineRecord[]
  readonly operators: readonly OperatorRecord[]
  readonly casts: readonly CastRecord[]
  readonly relations: readonly RelationRecord[]
  readonly constraints: readonly ConstraintRecord[]
  readonly indexes: readonly IndexRecord[]
  readonly statistics: readonly StatisticsRecord[]
  readonly triggers: readonly FiringRecord[]
  readonly rules: readonly FiringRecord[]
  readonly policies: readonly PolicyRecord[]
  readonly grants: readonly GrantRecord[]
  readonly defaultPrivileges: readonly DefaultPrivilegesRecord[]
  readonly comments: readonly CommentRecord[]
  readonly dependencies: readonly DependencyRecord[]
}

/** The counts that publishing and provisioning report, without `auth_*` (docs/wire/platform.md#clone). */
export interface StructureCounts {
  readonly tables: number
  readonly foreignKeys: number
}

/** Counts the tables, partitions included, and the foreign keys. */
export function countsOf(structure: SchemaStructure): StructureCounts {
  const tables = structure.relations.filter(
    ({ kind }) => kind === 'table' || kind === 'partitioned',
  )
  const foreignKeys = structure.constraints.filter(({ kind }) => kind === 'foreign')
  return { tables: tables.length, foreignKeys: foreignKeys.length }
}
