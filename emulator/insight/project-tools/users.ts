// Routes for the end users of a project, below /_emulator/v1 (contract/users.ts).
import type { Hono } from 'hono'
import type { z } from 'zod'
import {
  type NewProjectUser,
  type ProjectUserDeleted,
  USER_OPERATIONS,
} from '../../contract/users.ts'
import type { SchemaName } from '../../core/names.ts'
import { toIso } from '../../core/time.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { AuthError } from '../../services/auth/errors.ts'
import type { UserManagement, UserOrder } from '../../services/auth/users/manage-users.ts'
import type { UserRecord } from '../../services/auth/users/user.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { liveProject } from '../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../api-kit/mount.ts'

interface UsersDeps {
  readonly users: UserManagement
  readonly projects: ProjectRegistry
}

export function mountUsers(app: Hono<Bindings>, { users, projects }: UsersDeps): void {
  mountOnProject(app, USER_OPERATIONS, (reference) => liveProject(projects, reference), {
    'GET /projects/:ref/users': ({ project, query }) => users.list(project.schemaName, query),
    'POST /projects/:ref/users': async ({ project, body }) => {
      const user = await users.create(project, orderOf(body)).catch(refuseInOurWords)
      if (user !== 'taken') return user
      throw new InspectorError(
        'conflict',
        'A user with this e-mail address or telephone number already exists.',
        { hint: 'Find the user with GET …/users?search=<address or number>.' },
      )
    },
    'GET /projects/:ref/users/:id': async ({ project: { schemaName }, params: { id } }) => {
      const found = await knownUser(users, schemaName, id)
      return (await users.detail(schemaName, found.id)) ?? unknownUser(id)
    },
    'POST /projects/:ref/users/:id/sign-in-link': async ({ project, params, body, env }) => {
      const id = userIdOf(params.id)
      const order = { userId: id, redirectTo: body.redirect_to, addresses: env.addresses }
      const link = await users.signInLink(project, order).catch(refuseInOurWords)
      if (link === undefined) return unknownUser(id)
      return { url: link.url, expires_at: toIso(link.expiresAt) }
    },
    'DELETE /projects/:ref/users/:id/sessions': async ({ project, params }) => {
      const id = userIdOf(params.id)
      const ended = await users.endSessions(project.schemaName, id)
      return { sessions_revoked: ended ?? unknownUser(id) }
    },
    'DELETE /projects/:ref/users/:id/sessions/:session': async ({ project, params }) => {
      const [id, { session }] = [userIdOf(params.id), params]
      const isId = UUID.test(session)
      const ended = isId ? await users.endSessions(project.schemaName, id, session) : 0
      if (ended === 0)
        throw new InspectorError('not_found', `The user has no active session ${session}.`)
      return { sessions_revoked: ended ?? unknownUser(id) }
    },
    'PATCH /projects/:ref/users/:id': async ({ project, params, body }) => {
      const id = userIdOf(params.id)
      const until = body.banned_until ?? undefined
      return (await users.ban(project.schemaName, id, until)) ?? unknownUser(id)
    },
    'DELETE /projects/:ref/users/:id': async ({ project, params }) => {
      const id = userIdOf(params.id)
      return deletedOf(id, await users.delete(project.schemaName, id))
    },
  })
}

function deletedOf(
  id: string,
  deletion: Awaited<ReturnType<UserManagement['delete']>>,
): ProjectUserDeleted {
  switch (deletion.kind) {
    case 'unknown':
      return unknownUser(id)
    case 'inUse':
      throw new InspectorError(
        'conflict',
        `The user cannot be deleted, because rows of ${deletion.table ?? 'another table'} refer to the user.`,
        { hint: 'Delete these rows first, or declare the foreign key with "on delete cascade".' },
      )
    case 'deleted':
      return {
        deleted: true,
        sessions_revoked: deletion.sessionsRevoked,
        identities_deleted: deletion.identitiesDeleted,
      }
  }
}

function orderOf(order: z.output<typeof NewProjectUser>): UserOrder {
  return {
    email: order.email,
    phone: order.phone,
    emailConfirmed: order.email_confirmed,
    phoneConfirmed: order.phone_confirmed,
    password: order.password,
    userMetadata: order.user_metadata,
  }
}

function refuseInOurWords(error: unknown): never {
  if (!(error instanceof AuthError)) throw error
  const { hint, message } = error
  throw new InspectorError('invalid_request', message, hint === undefined ? {} : { hint })
}

/** Finds a user by id or e-mail address. @throws {InspectorError} `not_found` */
export async function knownUser(
  users: Pick<UserManagement, 'find'>,
  schemaName: SchemaName,
  reference: string,
): Promise<UserRecord> {
  const isText = !reference.includes('\0') && reference.isWellFormed()
  return (isText ? await users.find(schemaName, reference) : undefined) ?? unknownUser(reference)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function userIdOf(id: string): string {
  return UUID.test(id) ? id : unknownUser(id)
}

function unknownUser(id: string): never {
  throw new InspectorError('not_found', `There is no user ${id} in this project.`, {
    hint: 'GET …/users lists the users of the project.',
  })
}
