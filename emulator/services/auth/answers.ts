// States the credentials and answers of auth's routes for the OpenAPI document (docs/wire/auth.md).
import { z } from 'zod'
import type { AnswerTable, RouteAnswers } from '../../core/route-answers.ts'

export type AuthCredential = 'apikey' | 'projectHeader' | 'projectKeyInQuery' | 'accessToken'

type Answers = RouteAnswers<AuthCredential>

const Instant = z.iso.datetime().describe('ISO 8601 in UTC')
const AnyObject = z.record(z.string(), z.unknown())
const Seconds = z.int().describe('Seconds')

const Factor = z.object({
  id: z.uuid(),
  factor_type: z.literal('totp'),
  friendly_name: z.string().nullable(),
  status: z.enum(['unverified', 'verified']),
  created_at: Instant,
  updated_at: Instant,
})
const User = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  email_confirmed_at: Instant.nullable(),
  phone_confirmed_at: Instant.nullable(),
  last_sign_in_at: Instant.nullable(),
  role: z.literal('authenticated'),
  user_metadata: AnyObject,
  app_metadata: z.looseObject({ provider: z.string(), providers: z.array(z.string()) }),
  identities: z.array(
    z.object({
      id: z.uuid(),
      provider: z.string(),
      provider_user_id: z.string(),
      email: z.string().nullable(),
      identity_data: AnyObject,
    }),
  ),
  factors: z.array(Factor),
  created_at: Instant,
  updated_at: Instant,
})
const Session = z.object({
  access_token: z.string().describe('PASETO v4.public, for /auth/v1 only'),
  data_plane_token: z.string().describe('ES256 JWT, for data, storage and realtime'),
  refresh_token: z.string().describe('Can be used once'),
  token_type: z.literal('bearer'),
  expires_in: Seconds,
  expires_at: z.int().describe('Epoch seconds'),
  user: User,
})
const SecondFactorRequired = z.object({
  mfa_required: z.literal(true),
  mfa_token: z.string(),
  factors: z.array(Factor),
})
const ConfirmationRequired = z.object({ user: User, session: z.null() })
const UserAnswer = z.object({ user: User })
const Sent = z.object({ expires_in: Seconds })
const SentCode = Sent.extend({ channel: z.enum(['email', 'whatsapp', 'sms']) })
const Enrolled = z.object({
  id: z.uuid(),
  secret: z.string(),
  uri: z.string().describe('`otpauth:` address'),
  qr: z.string().describe('The address as a picture, in a `data:` address'),
})

/** Schemas by their name in the OpenAPI document. */
export const AUTH_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Factor,
  User,
  Session,
  SecondFactorRequired,
  ConfirmationRequired,
  UserAnswer,
  Sent,
  SentCode,
  Enrolled,
}

/** The request names its project in one of two headers (docs/wire/auth.md#project). */
const PROJECT: Answers['credentials'] = [['apikey'], ['projectHeader']]
/** The access_token also names the project, so the headers of PROJECT are optional. */
const SIGNED_IN: Answers['credentials'] = [
  ['accessToken'],
  ['apikey', 'accessToken'],
  ['projectHeader', 'accessToken'],
]

function inProject(ok: z.ZodType): Answers {
  return { credentials: PROJECT, answers: { 200: ok } }
}

function signedIn(ok: z.ZodType): Answers {
  return { credentials: SIGNED_IN, answers: { 200: ok } }
}

const SIGN_IN: Answers = inProject(z.union([Session, SecondFactorRequired]))
/** Browsers open these addresses without headers. */
const REDIRECT: Answers = {
  credentials: [[]],
  answers: { 302: 'empty' },
  hasErrorPages: true,
}

export const AUTH_ANSWERS: AnswerTable<AuthCredential> = {
  'POST /auth/v1/signup': inProject(z.union([Session, ConfirmationRequired])),
  'POST /auth/v1/signin': SIGN_IN,
  'POST /auth/v1/signin/magic-link': inProject(Sent),
  'POST /auth/v1/otp/send': inProject(SentCode),
  'POST /auth/v1/otp/verify': SIGN_IN,
  'GET,HEAD /auth/v1/verify': REDIRECT,
  'POST /auth/v1/token/refresh': inProject(Session),
  'POST /auth/v1/signout': signedIn(z.object({ sessions_revoked: z.int() })),
  'GET,HEAD /auth/v1/authorize/:provider': {
    credentials: [...PROJECT, ['projectKeyInQuery']],
    answers: { 200: z.object({ url: z.url() }), 302: 'empty' },
    hasErrorPages: true,
  },
  'GET,HEAD /auth/v1/consent/:provider': {
    credentials: [[]],
    answers: { 200: ['text/html'] },
    hasErrorPages: true,
  },
  'POST /auth/v1/consent/:provider': {
    credentials: [[]],
    answers: { 303: 'empty' },
    hasErrorPages: true,
  },
  'GET,HEAD /auth/v1/callback/:provider': REDIRECT,
  'POST /auth/v1/token/exchange': SIGN_IN,
  'GET,HEAD /auth/v1/user': signedIn(UserAnswer),
  'PATCH /auth/v1/user': signedIn(UserAnswer),
  'DELETE /auth/v1/user': signedIn(
    z.object({
      deleted: z.literal(true),
      sessions_revoked: z.int(),
      identities_deleted: z.int(),
    }),
  ),
  'PUT /auth/v1/user/password': signedIn(
    z.object({
      criada: z.boolean().describe('Whether the account had no password before'),
      sessions_revoked: z.int(),
      user: User.nullable(),
    }),
  ),
  'POST /auth/v1/password/forgot': inProject(Sent),
  'POST /auth/v1/password/reset': inProject(
    z.object({ criada: z.boolean(), sessions_revoked: z.int() }),
  ),
  'GET,HEAD /auth/v1/mfa': signedIn(z.object({ factors: z.array(Factor) })),
  'POST /auth/v1/mfa/enroll': signedIn(Enrolled),
  'POST /auth/v1/mfa/verify': {
    credentials: [...PROJECT, ...SIGNED_IN],
    answers: { 200: Session },
  },
  'DELETE /auth/v1/mfa/:factor': signedIn(z.object({ deleted: z.literal(true), id: z.string() })),
}
