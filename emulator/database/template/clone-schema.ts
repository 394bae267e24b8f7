// Clones a structure under another name (docs/wire/platform.md#clone). The statements run as the new project's owner, never as
// platform work. Postgres may call the tenant's own functions while it simplifies a definition.
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { searchPathOf } from '../as-principal.ts'
import type { Engine, TenantWork } from '../engine.ts'
import type { StructureCounts } from '../schema-builder.ts'
import { identifier, literal, type Sql, script, sql, tenantScript, verbatim } from '../sql.ts'
import { defaultPrivilegeStatements, grantStatements } from './ddl/grant.ts'
import { orderUnits } from './ddl/unit.ts'
import { planUnits } from './plan-units.ts'
import { renameStructure } from './rename-structure.ts'
import { countsOf, type SchemaStructure } from './structure.ts'

/** What a clone copies. `structure` leaves out policies, triggers and grants, as the hosted platform does. */
export type Fidelity = 'full' | 'structure'

const CLONE_TIMEOUT_MILLIS = 30_000

/**
 * Creates the project `target` and builds `structure` in it, in several transactions. After a failure or a crash the caller
 * drops the project. @throws {SqlError}
 */
export async function cloneSchema(
  engine: Engine,
  structure: SchemaStructure,
  target: SchemaName,
  fidelity: Fidelity,
): Promise<StructureCounts> {
  const renamed = renameStructure(structure, target)
  await engine.projects.create(target, schemaStatements(renamed))
  const statements = [
    ...cloneStatements(renamed, target, fidelity),
    ...refreshStatements(renamed, target),
  ]
  await engine.run(ownerWork(target, statements, fidelity))
  return countsOf(structure)
}

/** Returns the statements that build the structure in the existing, empty project `target`, for its owner role to run. */
export function cloneStatements(
  structure: SchemaStructure,
  target: SchemaName,
  fidelity: Fidelity,
): readonly Sql[] {
  const renamed = renameStructure(structure, target)
  const full = fidelity === 'full'
  return [
    ...cloneSettings(fidelity),
    ...orderUnits(planUnits(renamed, full)).flatMap(({ statements }) => statements),
    ...commentStatements(renamed, fidelity),
    ...(full ? privileges(renamed, target) : []),
  ]
}

export function commentStatements(
  { comments }: SchemaStructure,
  fidelity: Fidelity,
): readonly Sql[] {
  return comments
    .filter(({ object }) => fidelity === 'full' || !/^(policy|trigger) /.test(object))
    .map(({ object, text }) => sql`comment on ${verbatim(object)} is ${literal(text)}`)
}

/** Returns the settings of every transaction that runs a part of `cloneStatements`. */
export function cloneSettings(fidelity: Fidelity): readonly Sql[] {
  return [
    sql`set local check_function_bodies = off`,
    sql`set local client_min_messages = warning`,
    ...(fidelity === 'full' ? [sql`set local tenantry.default_policies = off`] : []),
    sql`set local tenantry.quiet = on`,
  ]
}

/** Returns the owner role's statements that refresh the materialised views populated in the template, in order. */
export function refreshStatements(structure: SchemaStructure, target: SchemaName): readonly Sql[] {
  const renamed = renameStructure(structure, target)
  return refreshedViews(renamed).map(
    (name) => sql`refresh materialized view ${identifier(target, name)}`,
  )
}

/** Returns the names of the populated materialised views, in the order in which to refresh them. */
export function refreshedViews(structure: SchemaStructure): readonly string[] {
  const filled = new Map(
    structure.relations
      .filter(({ kind, populated }) => kind === 'materialized' && populated)
      .map(({ key, name }) => [key, name]),
  )
  if (filled.size === 0) return []
  return orderUnits(planUnits(structure, false)).flatMap(({ key }) => filled.get(key) ?? [])
}

/** Returns the statements that only the platform may run, because it owns the schema. */
export function schemaStatements({ schemaComment, schemaName }: SchemaStructure): readonly Sql[] {
  if (schemaComment === undefined) return []
  return [sql`comment on schema ${identifier(schemaName)} is ${literal(schemaComment)}`]
}

function privileges(renamed: SchemaStructure, target: SchemaName): readonly Sql[] {
  const owner = ownerRoleOf(target)
  return [
    ...grantStatements(renamed.grants, owner),
    ...defaultPrivilegeStatements(renamed.defaultPrivileges, target, owner),
  ]
}

/** Returns the work that runs the statements as the owner of `target`, in one transaction. */
export function ownerWork(
  target: SchemaName,
  statements: readonly Sql[],
  fidelity: Fidelity,
): TenantWork {
  return {
    actor: { schemaName: target, role: ownerRoleOf(target) },
    settings: { search_path: searchPathOf(target) },
    mode: 'readWrite',
    statements: tenantScript(script(statements).text),
    end: 'commit',
    timeoutMillis: CLONE_TIMEOUT_MILLIS,
    mayKeepOthersWaiting: true,
    // With fidelity `structure`, event triggers fire: the clone omits policies, and one of the triggers creates the default
    // policy of each table.
    firesNoEventTriggers: fidelity === 'full',
  }
}
