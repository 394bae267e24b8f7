// The end users of a project. GET /mailbox shows the users' last codes and links. POST /principals signs in as a user.
import { z } from 'zod'
import { emailShape, phoneShape } from '../core/contact-shapes.ts'
import { USER_ORDERS } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'
import { Instant, JsonObject, QueryNumber } from './values.ts'

export const ProjectUser = z.object({
  id: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  email_confirmed_at: z.string().nullable().describe('ISO 8601 UTC, as are all instants of a user'),
  phone_confirmed_at: z.string().nullable(),
  last_sign_in_at: z.string().nullable(),
  banned_until: z.string().nullable(),
  role: z.literal('authenticated'),
  user_metadata: z.record(z.string(), z.unknown()),
  app_metadata: z.record(z.string(), z.unknown()),
  identities: z.array(z.record(z.string(), z.unknown())),
  factors: z.array(z.record(z.string(), z.unknown())),
  created_at: z.string(),
  updated_at: z.string(),
})
/** A user of a project. Members have the names of the wire. */
export type ProjectUser = Shape<typeof ProjectUser>

export const ProjectUserPage = z.object({
  users: z.array(ProjectUser),
  total: z.number().describe('On all pages'),
})
export type ProjectUserPage = Shape<typeof ProjectUserPage>

export const ProjectUserDeleted = z.object({
  deleted: z.literal(true),
  sessions_revoked: z.number(),
  identities_deleted: z.number(),
})
export type ProjectUserDeleted = Shape<typeof ProjectUserDeleted>

export const NewProjectUser = z
  .strictObject({
    email: z.exactOptional(emailShape),
    phone: z.exactOptional(phoneShape),
    email_confirmed: z.boolean().default(true),
    phone_confirmed: z.boolean().default(true),
    password: z
      .exactOptional(z.string().min(1))
      .describe(
        "A password as strong as the project's settings require. A user without a password signs in by code, link or provider",
      ),
    user_metadata: JsonObject.default({}),
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
  .describe('An e-mail address, a telephone number, or both')
export type NewProjectUser = Shape<typeof NewProjectUser>

// Matches the JSON escapes of NUL and of surrogates, which Postgres cannot store. A `\u` after an escaped backslash is plain
// text.
const UNSTORABLE = /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i

export const UserSession = z.object({
  id: z.string(),
  aal: z.enum(['aal1', 'aal2']),
  amr: z
    .array(z.record(z.string(), z.unknown()))
    .describe('`{method, timestamp}`, timestamps in epoch seconds'),
  user_agent: z.string().nullable(),
  created_at: z.string(),
  refreshed_at: z.string().nullable(),
  revoked_at: z
    .string()
    .nullable()
    .describe('Time at which the session ended; `null` while the session is valid'),
})
export type UserSession = Shape<typeof UserSession>

export const ProjectUserDetail = z.object({
  ...ProjectUser.shape,
  has_password: z.boolean(),
  sessions: z.array(UserSession).describe('Sessions of the user, newest first, at most 100'),
})
export type ProjectUserDetail = Shape<typeof ProjectUserDetail>

export const UserSessionsEnded = z.object({ sessions_revoked: z.number() })
export type UserSessionsEnded = Shape<typeof UserSessionsEnded>

const UsersQuery = z.strictObject({
  limit: QueryNumber.min(1).max(200).default(50),
  offset: QueryNumber.max(1_000_000).default(0),
  search: z
    .string()
    .max(320)
    .refine((text) => !text.includes('\0'), 'must have no NUL')
    .default('')
    .describe('Part of an e-mail address or telephone number'),
  sort: z
    .enum(USER_ORDERS)
    .default('created')
    .describe('By creation, by the last sign-in, or by e-mail address or telephone number'),
  order: z.enum(['asc', 'desc']).default('desc'),
})

export const Ban = z.strictObject({
  banned_until: Instant.nullable().describe('Platform time; `null` lifts the ban'),
})

export const SignInLinkOrder = z.strictObject({
  redirect_to: z
    .string()
    .min(1)
    .describe('Address of the application, which the project’s auth settings must allow'),
})

export const SignInLink = z
  .object({
    url: z.string().describe('Valid once. It redirects to the application, as a magic link does'),
    expires_at: z.string().describe('ISO 8601 UTC, platform time'),
  })
  .describe('Opening the link signs in as the user')
export type SignInLink = Shape<typeof SignInLink>

export const USER_OPERATIONS = {
  'GET /projects/:ref/users': {
    summary: 'Lists the end users, newest first unless asked otherwise.',
    query: UsersQuery,
    answer: ProjectUserPage,
  },
  'POST /projects/:ref/users': {
    summary: 'Creates a user without sending a message.',
    body: NewProjectUser,
    answer: ProjectUser,
    status: 201,
  },
  'GET /projects/:ref/users/:id': {
    summary: 'Shows one user with sessions, by id or e-mail address.',
    answer: ProjectUserDetail,
  },
  'POST /projects/:ref/users/:id/sign-in-link': {
    summary:
      'Creates a link that opens an application with a session of the user, without a message.',
    body: SignInLinkOrder,
    answer: SignInLink,
    status: 201,
  },
  'DELETE /projects/:ref/users/:id/sessions': {
    summary: 'Ends all sessions of a user.',
    answer: UserSessionsEnded,
  },
  'DELETE /projects/:ref/users/:id/sessions/:session': {
    summary: 'Ends one session of a user.',
    answer: UserSessionsEnded,
  },
  'PATCH /projects/:ref/users/:id': {
    summary: 'Bans a user, or lifts the ban.',
    body: Ban,
    answer: ProjectUser,
  },
  'DELETE /projects/:ref/users/:id': {
    summary: 'Deletes a user.',
    answer: ProjectUserDeleted,
  },
} as const satisfies OperationTable
