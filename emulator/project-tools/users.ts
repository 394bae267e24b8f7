// A project's end users over /_emulator/v1 (contract/users.ts): who there is, new ones, sessions, bans, deletion.
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeBody, decodeQuery, instant, liveProject } from '../api-kit/decode.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { AuthError } from '../auth/errors.ts'
import { emailShape, passwordShape, phoneShape } from '../auth/request/request-body.ts'
import type { UserManagement, UserOrder } from '../auth/users/manage-users.ts'
import type {
  ProjectUser,
  ProjectUserDeleted,
  ProjectUserDetail,
  ProjectUserPage,
  UserSessionsEnded,
} from '../contract/users.ts'
import type { ProjectRegistry } from '../projects/registry.ts'

interface UsersDeps {
  readonly users: UserManagement
  readonly projects: ProjectRegistry
}

const LIMIT = { default: 50, max: 200 }

/** Query of GET …/users. */
export const usersQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(LIMIT.max).default(LIMIT.default),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  search: z
    .string()
    .max(320)
    .refine((text) => !text.includes('\0'), 'must have no NUL')
    .default(''),
})

/** Body of PATCH …/users/:id. */
export const banOrder = z.strictObject({ banned_until: instant.nullable() })

/** Body of POST …/users. */
export const newUser = z
  .strictObject({
    email: emailShape.optional(),
    phone: phoneShape.optional(),
    email_confirmed: z.boolean().default(true),
    phone_confirmed: z.boolean().default(true),
    password: passwordShape.optional(),
    user_metadata: z.record(z.string(), z.json()).default({}),
  })
  .refine(({ email, phone }) => email !== undefined || phone !== undefined, {
    error: 'an e-mail address or a telephone number is needed',
  })
  .refine(({ password, email }) => password === undefined || email !== undefined, {
    error: 'goes with an e-mail address only',
    path: ['password'],
  })
  .refine((order) => !UNSTORABLE.test(JSON.stringify(order)), {
    error: 'must have no NUL and no half characters',
  })

// As JSON writes NUL and half a pair of surrogates; an escaped backslash before the `u` is text.
const UNSTORABLE = /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i

export function mountUsers(app: Hono<Bindings>, { users, projects }: UsersDeps): void {
  app.get('/projects/:ref/users', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const page = await users.list(schemaName, decodeQuery(c, usersQuery))
    return c.json(page satisfies ProjectUserPage)
  })
  app.post('/projects/:ref/users', async (c) => {
    const project = liveProject(projects, c.req.param('ref'))
    const order = await decodeBody(c, newUser)
    const user = await users.create(project, orderOf(order)).catch(refuseInOurWords)
    if (user === 'taken')
      throw new InspectorError(
        'conflict',
        'Somebody has this e-mail address or telephone number already.',
        { hint: 'GET …/users?search= finds the user.' },
      )
    return c.json(user satisfies ProjectUser, 201)
  })
  mountOneUser(app, { users, projects })
}

function mountOneUser(app: Hono<Bindings>, { users, projects }: UsersDeps): void {
  app.get('/projects/:ref/users/:id', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const reference = c.req.param('id')
    const isText = !reference.includes('\0') && reference.isWellFormed()
    const found = isText ? await users.find(schemaName, reference) : undefined
    const user = found && (await users.detail(schemaName, found.id))
    if (user === undefined) throw unknownUser(reference)
    return c.json(user satisfies ProjectUserDetail)
  })
  app.delete('/projects/:ref/users/:id/sessions', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const id = userIdOf(c)
    const ended = await users.endSessions(schemaName, id)
    if (ended === undefined) throw unknownUser(id)
    return c.json({ sessions_revoked: ended } satisfies UserSessionsEnded)
  })
  app.delete('/projects/:ref/users/:id/sessions/:session', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const [id, session] = [userIdOf(c), c.req.param('session')]
    const ended = UUID.test(session) ? await users.endSessions(schemaName, id, session) : 0
    if (ended === undefined) throw unknownUser(id)
    if (ended === 0)
      throw new InspectorError('not_found', `The user has no session ${session} that still stands.`)
    return c.json({ sessions_revoked: ended } satisfies UserSessionsEnded)
  })
  app.patch('/projects/:ref/users/:id', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const id = userIdOf(c)
    const { banned_until: until } = await decodeBody(c, banOrder)
    const user = await users.ban(schemaName, id, until ?? undefined)
    if (user === undefined) throw unknownUser(id)
    return c.json(user satisfies ProjectUser)
  })
  app.delete('/projects/:ref/users/:id', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const id = userIdOf(c)
    const deletion = await users.delete(schemaName, id)
    switch (deletion.kind) {
      case 'unknown':
        throw unknownUser(id)
      case 'inUse':
        throw new InspectorError(
          'conflict',
          `The user cannot be deleted: rows of the table ${deletion.table ?? '(unnamed)'} refer to it.`,
          { hint: 'Delete them first, or declare the foreign key "on delete cascade".' },
        )
      case 'deleted':
        return c.json({
          deleted: true,
          sessions_revoked: deletion.sessionsRevoked,
          identities_deleted: deletion.identitiesDeleted,
        } satisfies ProjectUserDeleted)
    }
  })
}

function orderOf(order: z.output<typeof newUser>): UserOrder {
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
  throw error instanceof AuthError ? new InspectorError('invalid_request', error.message) : error
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function userIdOf(c: Context<Bindings, `/projects/:ref/users/:id${string}`>): string {
  const id = c.req.param('id') ?? ''
  if (!UUID.test(id)) throw unknownUser(id)
  return id
}

function unknownUser(id: string): InspectorError {
  return new InspectorError('not_found', `There is no user ${id} in this project.`, {
    hint: 'GET …/users lists them.',
  })
}
