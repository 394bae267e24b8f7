// Users made by fixtures: there at once, confirmed, with a password (contract.md §8).
import type { IdSource } from '../core/id-source.ts'
import type { JsonObject } from '../core/json.ts'
import type { SchemaName } from '../core/names.ts'
import type { AuthTables } from './auth-tables.ts'
import { AuthError } from './errors.ts'
import { createUser, findUser, ownIdentity } from './users.ts'

export interface FixtureUser {
  readonly email: string
  readonly phone?: string
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
  // As emailShape takes it from a request.
  const email = user.email.normalize('NFC')
  const creation = await createUser(deps, schemaName, {
    ...user,
    email,
    emailConfirmed: true,
    phoneConfirmed: user.phone !== undefined,
    identities: [
      ownIdentity('email', email),
      ...(user.phone === undefined ? [] : [ownIdentity('phone', user.phone)]),
    ],
  })
  if (creation.kind === 'created') return creation.user.id
  const found = await findUser(deps.tables, schemaName, email)
  // Only the telephone number can be in the way then.
  if (found === undefined)
    throw new AuthError(
      'invalid_request',
      `${user.email} cannot be added: another user has ${user.phone}.`,
    )
  return found.id
}
