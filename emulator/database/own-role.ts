// Checks that the role of tenant work belongs to its project. Every engine calls it before any other check.
import { ownerRoleOf, realtimeRoleOf } from '../core/names.ts'
import { type Actor, SHARED_ROLES, SqlError } from './engine.ts'

const SHARED: ReadonlySet<string> = new Set(SHARED_ROLES)

/** @throws {SqlError} 42501 when the role belongs to another project */
export function requireOwnRole({ schemaName, role }: Actor): Actor {
  if (!SHARED.has(role) && role !== ownerRoleOf(schemaName) && role !== realtimeRoleOf(schemaName))
    throw new SqlError('42501', `role "${role}" does not belong to ${schemaName}`)
  return { schemaName, role }
}
