// A project's end users over /_emulator/v1 (contract/users.ts): who there is, bans, deletion.
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { UserManagement } from '../auth/manage-users.ts'
import type { ProjectUser, ProjectUserDeleted, ProjectUserPage } from '../contract/users.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { type Bindings, decodeBody, decodeQuery, instant, liveProject } from './decode.ts'
import { InspectorError } from './errors.ts'

interface UsersDeps {
  readonly users: UserManagement
  readonly projects: ProjectRegistry
}

const LIMIT = { default: 50, max: 200 }

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(LIMIT.max).default(LIMIT.default),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  search: z
    .string()
    .max(320)
    .refine((text) => !text.includes('\0'), 'must have no NUL')
    .default(''),
})

const banOrder = z.strictObject({ banned_until: instant.nullable() })

export function mountUsers(app: Hono<Bindings>, { users, projects }: UsersDeps): void {
  app.get('/projects/:ref/users', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const page = await users.list(schemaName, decodeQuery(c, listQuery))
    return c.json(page satisfies ProjectUserPage)
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function userIdOf(c: Context<Bindings, '/projects/:ref/users/:id'>): string {
  const id = c.req.param('id')
  if (!UUID.test(id)) throw unknownUser(id)
  return id
}

function unknownUser(id: string): InspectorError {
  return new InspectorError('not_found', `There is no user ${id} in this project.`, {
    hint: 'GET …/users lists them.',
  })
}
