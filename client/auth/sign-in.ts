// The ways to sign in (docs/wire/auth.md#session). Each ends with a stored session and SIGNED_IN, or with the second step that is still
// needed.
import type { Environment } from '../environment.ts'
import type { TextStorage } from '../text-storage.ts'
import type { AuthApi, AuthRequest } from './api.ts'
import { attempt, localError, type Result, toAuthError } from './errors.ts'
import { makePkcePair, VERIFIER_BYTES } from './pkce.ts'
import { type Factor, isRecord, readSession, readUser, type Session, type User } from './session.ts'
import type { SessionStore } from './session-store.ts'

export interface SignedIn {
  readonly user: User
  readonly session: Session
  readonly mfa_required: false
}

/** The first step was right; `mfa.verify` with `mfa_token`, a factor's id and its code is the second. */
export interface SecondStepOwed {
  readonly user: null
  readonly session: null
  readonly mfa_required: true
  readonly mfa_token: string
  readonly factors: readonly OwedFactor[]
}

/** A factor that completes a sign-in; of a magic link only the id is known. */
export type OwedFactor = Pick<Factor, 'id'> & Partial<Factor>

/** What `data` is when signing in failed. */
export interface NotSignedIn {
  readonly user: null
  readonly session: null
  readonly mfa_required: false
}

export const NOT_SIGNED_IN: NotSignedIn = { user: null, session: null, mfa_required: false }

export type SignInResult = Promise<Result<SignedIn | SecondStepOwed, NotSignedIn>>

/** Where a code goes. `channel` defaults to `email` for an address and `whatsapp` for a phone. */
export interface OtpTarget {
  readonly email?: string
  readonly phone?: string
  readonly channel?: 'email' | 'whatsapp' | 'sms'
  /** Whether an unknown target becomes a new user; it does unless this is false. */
  readonly createUser?: boolean
}

/** A message is on its way. */
export interface Sent {
  /** Seconds its code or link is good for. */
  readonly expires_in: number
  /** Of a code. */
  readonly channel?: 'email' | 'whatsapp' | 'sms'
}

export interface SignInCalls {
  /** `options.data` becomes the user's metadata. `session` is null while the e-mail address awaits its confirmation. */
  signUp(credentials: {
    readonly email: string
    readonly password: string
    readonly options?: { readonly data?: Readonly<Record<string, unknown>> }
  }): Promise<Result<{ user: User; session: Session | null }, { user: null; session: null }>>
  signInWithPassword(credentials: {
    readonly email: string
    readonly password: string
  }): SignInResult
  /** Sends a one-time code; it lives ten minutes. */
  sendOtp(target: OtpTarget): Promise<Result<Sent>>
  /** The same as `sendOtp`. */
  signInWithOtp(target: OtpTarget): Promise<Result<Sent>>
  /** Signs in with the code; the phone in the same format as it was sent to. */
  verifyOtp(answer: {
    readonly email?: string
    readonly phone?: string
    readonly code: string
  }): SignInResult
  /** Sends a link that comes back to `redirectTo` with tokens in its fragment: see `initialize` and `setSession`. */
  signInWithMagicLink(request: {
    readonly email: string
    readonly options?: { readonly redirectTo?: string; readonly createUser?: boolean }
  }): Promise<Result<Sent>>
  /**
   * Begins a social sign-in with PKCE. A page goes to `data.url` by itself unless `skipBrowserRedirect`; the provider
   * comes back to `redirectTo` with `?code=`.
   */
  signInWithOAuth(request: {
    readonly provider: string
    readonly options?: { readonly redirectTo?: string; readonly skipBrowserRedirect?: boolean }
  }): Promise<Result<{ provider: string; url: string }, { provider: string; url: null }>>
  /** Ends a social sign-in. A code is good for one try. */
  exchangeCodeForSession(code: string): SignInResult
}

export interface SignInDeps {
  readonly api: AuthApi
  readonly store: SessionStore
  readonly storage: TextStorage
  /** Name under which the PKCE verifier is stored. */
  readonly verifierName: string
  readonly environment: Pick<Environment, 'randomBytes' | 'addressBar'>
}

export function signInCalls(deps: SignInDeps): SignInCalls {
  const { api, store } = deps
  const post = (path: string, body: AuthRequest['body'] & object): Promise<unknown> =>
    api({ method: 'POST', path: `/auth/v1/${path}`, body })
  const send = (path: string, body: AuthRequest['body'] & object): Promise<Result<Sent>> =>
    attempt(null, async () => (await post(path, body)) as Sent)
  const signIn = (request: () => Promise<unknown>): SignInResult =>
    attempt(NOT_SIGNED_IN, async () => keepSignIn(store, await request()))
  const sendOtp: SignInCalls['sendOtp'] = ({ email, phone, channel, createUser }) =>
    send('otp/send', {
      email,
      phone,
      channel: channel ?? (phone === undefined ? 'email' : 'whatsapp'),
      create_user: createUser,
    })

  return {
    signUp: ({ email, password, options }) =>
      attempt({ user: null, session: null }, async () => {
        const answer = await post('signup', { email, password, data: options?.data })
        if (isRecord(answer) && answer['session'] === null)
          return { user: readUser(answer), session: null }
        const session = readSession(answer)
        await store.save(session, 'SIGNED_IN')
        return { user: session.user, session }
      }),
    signInWithPassword: ({ email, password }) => signIn(() => post('signin', { email, password })),
    sendOtp,
    signInWithOtp: sendOtp,
    verifyOtp: ({ email, phone, code }) => signIn(() => post('otp/verify', { email, phone, code })),
    signInWithMagicLink: ({ email, options }) =>
      send('signin/magic-link', {
        email,
        redirect_to: options?.redirectTo,
        create_user: options?.createUser,
      }),
    signInWithOAuth: ({ provider, options = {} }) =>
      attempt({ provider, url: null }, async () => {
        const url = await beginOAuth(deps, provider, options.redirectTo)
        if (options.skipBrowserRedirect !== true) deps.environment.addressBar?.go(url)
        return { provider, url }
      }),
    exchangeCodeForSession: (code) =>
      signIn(() =>
        spendVerifier(deps, (code_verifier) => post('token/exchange', { code, code_verifier })),
      ),
  }
}

/** What the second step takes. */
export function owing(mfaToken: string, factors: readonly OwedFactor[]): SecondStepOwed {
  return { user: null, session: null, mfa_required: true, mfa_token: mfaToken, factors }
}

/** Stores the session of a sign-in's answer, or gives the second step that is needed. @throws {AuthError} `unexpected_answer` */
export async function keepSignIn(
  store: SessionStore,
  answer: unknown,
): Promise<SignedIn | SecondStepOwed> {
  if (isRecord(answer) && answer['mfa_required'] === true)
    return owing(String(answer['mfa_token']), answer['factors'] as readonly Factor[])
  const session = readSession(answer)
  await store.save(session, 'SIGNED_IN')
  return { user: session.user, session, mfa_required: false }
}

async function beginOAuth(
  { api, environment, storage, verifierName }: SignInDeps,
  provider: string,
  redirectTo: string | undefined,
): Promise<string> {
  const { verifier, challenge } = makePkcePair(environment.randomBytes(VERIFIER_BYTES))
  const answer = await api({
    method: 'GET',
    path: `/auth/v1/authorize/${encodeURIComponent(provider)}`,
    query: {
      redirect_to: redirectTo,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      return: 'json',
    },
  })
  const url = isRecord(answer) ? answer['url'] : undefined
  if (typeof url !== 'string')
    throw localError('unexpected_answer', 'The platform named no address of the provider.')
  await storage.setItem(verifierName, verifier)
  return url
}

// Any answer uses up the code; a request without an answer may be repeated.
async function spendVerifier(
  { storage, verifierName }: SignInDeps,
  exchange: (verifier: string) => Promise<unknown>,
): Promise<unknown> {
  const verifier = await storage.getItem(verifierName)
  if (verifier === null)
    throw localError(
      'pkce_verifier_missing',
      'This code was not asked for here: begin with signInWithOAuth in the same browser and at the same address.',
    )
  try {
    const answer = await exchange(verifier)
    await storage.removeItem(verifierName)
    return answer
  } catch (failure) {
    if (toAuthError(failure).status !== 0) await storage.removeItem(verifierName)
    throw failure
  }
}
