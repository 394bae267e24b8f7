// Serves POST /auth/v1/otp/send and /otp/verify: one-time codes by e-mail, WhatsApp and SMS (docs/wire/auth.md#otp).
import { z } from 'zod'
import { SECOND_MILLIS } from '../../../core/time.ts'
import type { MessageChannel, OutgoingMessage } from '../../../platform/messages/message.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalidRequest } from '../errors.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { decodeBody, emailShape, phoneShape, secretShape } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  NEW_USER_CODES,
  requestOf,
  secretJson,
} from '../request/route.ts'
import { signIn, welcome } from '../sessions/sign-in.ts'
import type { ProvenUser, Target } from '../users/proven-user.ts'
import { CODE_MILLIS, issueCode, MAX_CODES, MAX_TRIES, spendCode } from './six-digit-codes.ts'

const targetMembers = { email: emailShape.nullish(), phone: phoneShape.nullish() }

const SendShape = z.object({
  ...targetMembers,
  channel: z.enum(['email', 'whatsapp', 'sms']).nullish(),
  create_user: z.boolean().nullish(),
})

const VerifyShape = z.object({ ...targetMembers, code: secretShape })

export const OTP_ROUTES: AuthRoutes = {
  'POST /auth/v1/otp/send': {
    operation: 'otp.send',
    title: 'Sends a one-time code',
    codes: [
      'whatsapp_send_failed',
      'whatsapp_not_configured',
      'sms_not_configured',
      'too_many_attempts',
      ...BODY_CODES,
    ],
    body: SendShape,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const body = await decodeBody(context.req.raw, SendShape)
      const target = targetOf(body)
      const channel = channelOf(target, body.channel ?? undefined)
      requireChannel(channel, request.settings)
      await send(deps, request, { target, channel, mayCreateUser: body.create_user ?? true })
      return context.json({ channel, expires_in: CODE_MILLIS / SECOND_MILLIS })
    },
  },
  'POST /auth/v1/otp/verify': {
    operation: 'otp.verify',
    title: 'Signs in with a one-time code',
    codes: ['invalid_otp', 'too_many_attempts', ...NEW_USER_CODES, ...BODY_CODES],
    body: VerifyShape,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { code, ...body } = await decodeBody(context.req.raw, VerifyShape)
      const user = await verify(deps, request, targetOf(body), code)
      context.env.facts.subject = user.userId
      return secretJson(context, await signIn(deps, request, user, 'otp'))
    },
  },
}

interface CodeRequest {
  readonly target: Target
  readonly channel: MessageChannel
  readonly mayCreateUser: boolean
}

// Sends no message to an unknown address when the request may not create a user. The response and its duration are the same for
// known addresses, so that they do not reveal which addresses have accounts.
async function send(
  deps: AuthDeps,
  { project: { schemaName }, settings }: AuthRequest,
  { target, channel, mayCreateUser }: CodeRequest,
): Promise<void> {
  const issued = await issueCode(deps, schemaName, target, mayCreateUser)
  if (issued.kind === 'refused') throw tooManyCodes(issued.seconds)
  const { code, isKnown } = issued
  const message: OutgoingMessage = {
    schemaName,
    channel,
    recipient: target.address,
    purpose: 'one_time_code',
    code,
  }
  if (isKnown || (mayCreateUser && !settings.signupClosed)) deps.outbox.send(message)
  else deps.outbox.discard(message)
}

async function verify(
  deps: AuthDeps,
  request: AuthRequest,
  target: Target,
  code: string,
): Promise<ProvenUser> {
  const verdict = await spendCode(deps, request.project.schemaName, target, code)
  switch (verdict.kind) {
    case 'good': {
      if (verdict.holder !== undefined) return verdict.holder
      if (verdict.mayCreateUser) return welcome(deps, request, target)
      throw invalidOtp('No user has the address that this code was sent to.')
    }
    case 'spoilt':
      throw new AuthError(
        'too_many_attempts',
        `The code is no longer accepted, because ${MAX_TRIES} wrong codes were tried.`,
        { hint: 'Request a new code.' },
      )
    case 'late':
      throw invalidOtp('The code was used before or is older than ten minutes.')
    case 'wrong':
      throw invalidOtp('The code is wrong.')
    case 'unknown':
      throw invalidOtp('No code was requested for exactly this address or number.')
    default:
      return verdict satisfies never
  }
}

function targetOf(body: {
  email?: string | null | undefined
  phone?: string | null | undefined
}): Target {
  const { email = null, phone = null } = body
  if (email !== null && phone !== null)
    throw invalidRequest({ phone: 'must not be sent together with email' })
  if (email !== null) return { kind: 'email', address: email }
  if (phone !== null) return { kind: 'phone', address: phone }
  throw invalidRequest({ email: 'is required, or phone in its place' })
}

function channelOf(target: Target, asked: MessageChannel | undefined): MessageChannel {
  const channel = asked ?? (target.kind === 'email' ? 'email' : 'whatsapp')
  if ((channel === 'email') === (target.kind === 'email')) return channel
  throw invalidRequest({
    channel: `"${channel}" cannot send to ${target.kind === 'email' ? 'an e-mail address' : 'a phone number'}`,
  })
}

function requireChannel(channel: MessageChannel, { whatsapp, sms }: AuthSettings): void {
  if (channel === 'sms' && sms === 'not_configured')
    throw new AuthError('sms_not_configured', 'This project has no SMS channel.', {
      hint: 'Set the auth setting "sms" to "works", or use another channel.',
    })
  if (channel !== 'whatsapp') return
  if (whatsapp === 'not_configured')
    throw new AuthError('whatsapp_not_configured', 'This project has no WhatsApp channel.', {
      hint: 'Set the auth setting "whatsapp" to "works", or use another channel.',
    })
  if (whatsapp === 'send_failed')
    throw new AuthError('whatsapp_send_failed', 'WhatsApp did not accept the message.', {
      hint: 'The auth setting "whatsapp" is "send_failed". Set it to "works", or use another channel.',
    })
}

function tooManyCodes(retryAfterSeconds: number): AuthError {
  return new AuthError(
    'too_many_attempts',
    `This address got ${MAX_CODES} codes within an hour, without a sign-in.`,
    {
      hint: `Try again in ${retryAfterSeconds} s, or move the platform clock forward.`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    },
  )
}

function invalidOtp(message: string): AuthError {
  return new AuthError('invalid_otp', message, {
    hint: 'Request a new code, and verify the code with exactly the same address or number.',
  })
}
