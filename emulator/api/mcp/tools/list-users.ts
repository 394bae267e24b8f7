// list_users: the end users of a tenant, with the metadata that policies read.
import { z } from 'zod'
import type { ProjectUser } from '../../../contract/users.ts'
import { Cursor, Limit, rest, Tenant } from '../inputs.ts'
import { defineTool, type Tool } from '../tool.ts'

export const listUsers: Tool = defineTool({
  name: 'list_users',
  title: 'List users',
  description:
    'Lists the users of a tenant, newest first, with their ids and metadata. Other tools take the e-mail address or id as "identity", beside anon and service_role.',
  input: z.strictObject({
    tenant: Tenant,
    search: z.string().default('').describe('Part of an e-mail address or telephone number'),
    cursor: Cursor,
    limit: Limit,
  }),
  changes: 'never',
  run: async ({ calls }, { cursor, limit, search, tenant }) => {
    const { total, users } = await calls.call('GET /projects/:ref/users', {
      params: { ref: tenant },
      query: { limit, offset: cursor, search },
    })
    return {
      head: `Users of ${tenant}: ${total}`,
      entries: users.map(userLine),
      ...rest(total, cursor),
    }
  },
})

function userLine(user: ProjectUser): string {
  const { app_metadata, banned_until, email, id, phone, user_metadata } = user
  const { provider: _, providers: __, ...app } = app_metadata
  return [
    email ?? phone ?? 'no address',
    `id ${id}`,
    isEmpty(user_metadata) ? '' : `user_metadata ${JSON.stringify(user_metadata)}`,
    isEmpty(app) ? '' : `app_metadata ${JSON.stringify(app)}`,
    banned_until === null ? '' : `banned until ${banned_until}`,
    email !== null && user.email_confirmed_at === null ? 'address not confirmed' : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
