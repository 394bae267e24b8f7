// Users made by fixtures: there at once, confirmed, with a password (contract.md §8).
import type { IdSource } from '../core/id-source.ts'
import type { JsonObject } from '../core/json.ts'
import type { SchemaName } from '../core/names.ts'
import type { AuthTables } from './auth-tables.ts'
import { createUser, findUser, ownIdentity } from './users.ts'

export interface FixtureUser {
  readonly email: string
  /** As `hashPassword` gives it. */
  readonly passwordHash: string
  readonly userMetadata: JsonObject
}

/** Makes a confirmed user with a password; one with this e-mail address already there is left as it is. Gives the id. */
export async function ensureUser(
  deps: { readonly tables: AuthTables; readonly ids: IdSource },
  schemaName: SchemaName,
  user: FixtureUser,
): Promise<string> {
  const creation = await createUser(deps, schemaName, {
    ...user,
    emailConfirmed: true,
    phoneConfirmed: false,
    identities: [ownIdentity('email', user.email)],
  })
  if (creation.kind === 'created') return creation.user.id
  const found = await findUser(deps.tables, schemaName, user.email)
  if (found === undefined) throw new Error(`user ${user.email} was not stored`)
  return found.id
}
