// /auth/v1/user: the signed-in user's own record (docs/wire/auth.md#user).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalidRequest } from '../errors.ts'
import { createUserManagement } from '../manage-users.ts'
import type { Occasion } from '../occasion.ts'
import { decodeBody } from '../request-body.ts'
import { jsonObjectShape } from '../shapes.ts'
import type { UserRecord } from '../user.ts'
import { type DeletedUser, mergeUserMetadata, metadataTooLarge, readUser } from '../users.ts'
import { type AuthContext, occasionOf, type RouteTable, userOf } from './route-table.ts'

const ChangesShape = z.object({
  data: jsonObjectShape.nullish(),
  email: z.unknown().optional(),
  password: z.unknown().optional(),
})

export function userRoutes(deps: AuthDeps): RouteTable {
  async function signedIn(context: AuthContext) {
    const occasion = await occasionOf(deps, context)
    return { occasion, ...(await userOf(deps, context, occasion)) }
  }
  return {
    '/auth/v1/user': {
      GET: async (context) => {
        const { occasion, userId } = await signedIn(context)
        const user = await readUser(deps.tables, occasion.project.schemaName, userId)
        return context.json({ user: requireUser(user) })
      },
      PATCH: async (context) => {
        const { occasion, userId } = await signedIn(context)
        const changes = await decodeBody(context.req.raw, ChangesShape)
        refuseOtherChanges(changes)
        const { schemaName } = occasion.project
        const user = changes.data
          ? await mergeUserMetadata(deps.tables, schemaName, userId, changes.data)
          : await readUser(deps.tables, schemaName, userId)
        if (user === 'tooLarge') throw metadataTooLarge()
        return context.json({ user: requireUser(user) })
      },
      DELETE: async (context) => {
        const { occasion, userId } = await signedIn(context)
        const deleted = await remove(deps, occasion, userId)
        return context.json({
          deleted: true,
          sessions_revoked: deleted.sessionsRevoked,
          identities_deleted: deleted.identitiesDeleted,
        })
      },
    },
  }
}

function requireUser(user: UserRecord | undefined): UserRecord {
  if (user === undefined) throw new AuthError('unauthorized', 'The user no longer exists.')
  return user
}

function refuseOtherChanges({ email, password }: z.output<typeof ChangesShape>): void {
  if (email !== undefined)
    throw new AuthError(
      'email_change_unsupported',
      'A user’s e-mail address cannot be changed yet.',
    )
  if (password !== undefined)
    throw invalidRequest({ password: 'is changed with PUT /auth/v1/user/password' })
}

async function remove(
  deps: AuthDeps,
  { project: { schemaName } }: Occasion,
  userId: string,
): Promise<DeletedUser> {
  const deletion = await createUserManagement(deps).delete(schemaName, userId)
  switch (deletion.kind) {
    case 'deleted':
      return deletion
    case 'unknown':
      throw new AuthError('unauthorized', 'The user no longer exists.')
    case 'inUse':
      throw new AuthError(
        'invalid_request',
        `The user cannot be deleted: rows of ${deletion.table ?? 'another table'} refer to it.`,
        { hint: 'Delete them first, or declare the foreign key with "on delete cascade".' },
      )
  }
}
