// Serves /auth/v1/user, the signed-in user's own record (docs/wire/auth.md#user).
import { z } from 'zod'
import type { HttpContext } from '../../../core/mount-routes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalidRequest, userGone } from '../errors.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { decodeBody, jsonObjectShape } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  requestOf,
  SIGNED_IN_CODES,
  userOf,
} from '../request/route.ts'
import { createUserManagement } from './manage-users.ts'
import type { UserRecord } from './user.ts'
import { type DeletedUser, mergeUserMetadata, metadataTooLarge, readUser } from './users.ts'

const ChangesShape = z.object({
  data: jsonObjectShape.nullish(),
  email: z.unknown().optional(),
  password: z.unknown().optional(),
})

export const USER_ROUTES: AuthRoutes = {
  'GET,HEAD /auth/v1/user': {
    operation: 'user.read',
    title: 'Reads the user',
    codes: SIGNED_IN_CODES,
    handler: (deps) => async (context) => {
      const { request, userId } = await signedIn(deps, context)
      const user = await readUser(deps.tables, request.project.schemaName, userId)
      return context.json({ user: requireUser(user) })
    },
  },
  'PATCH /auth/v1/user': {
    operation: 'user.update',
    title: 'Changes the user',
    codes: ['email_change_unsupported', ...SIGNED_IN_CODES, ...BODY_CODES],
    body: ChangesShape,
    handler: (deps) => async (context) => {
      const { request, userId } = await signedIn(deps, context)
      const changes = await decodeBody(context.req.raw, ChangesShape)
      refuseOtherChanges(changes)
      const { schemaName } = request.project
      const user = changes.data
        ? await mergeUserMetadata(deps.tables, schemaName, userId, changes.data)
        : await readUser(deps.tables, schemaName, userId)
      if (user === 'tooLarge') throw metadataTooLarge()
      return context.json({ user: requireUser(user) })
    },
  },
  'DELETE /auth/v1/user': {
    operation: 'user.delete',
    title: 'Deletes the user',
    codes: ['insufficient_aal', ...SIGNED_IN_CODES],
    handler: (deps) => async (context) => {
      const { request, userId } = await signedIn(deps, context)
      const deleted = await remove(deps, request, userId)
      return context.json({
        deleted: true,
        sessions_revoked: deleted.sessionsRevoked,
        identities_deleted: deleted.identitiesDeleted,
      })
    },
  },
}

async function signedIn(
  deps: AuthDeps,
  context: HttpContext,
): Promise<{ readonly request: AuthRequest; readonly userId: string }> {
  const request = await requestOf(deps, context)
  const { userId } = await userOf(deps, context, request)
  return { request, userId }
}

function requireUser(user: UserRecord | undefined): UserRecord {
  if (user === undefined) throw userGone()
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
  { project: { schemaName } }: AuthRequest,
  userId: string,
): Promise<DeletedUser> {
  const deletion = await createUserManagement(deps).delete(schemaName, userId)
  switch (deletion.kind) {
    case 'deleted':
      return deletion
    case 'unknown':
      throw userGone()
    case 'inUse':
      throw new AuthError(
        'invalid_request',
        `The user cannot be deleted, because rows of ${deletion.table ?? 'another table'} refer to the user.`,
        { hint: 'Delete these rows first, or declare the foreign key with "on delete cascade".' },
      )
  }
}
