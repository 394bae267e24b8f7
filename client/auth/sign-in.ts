// Implements all ways to sign in (docs/wire/auth.md#session). Each way either stores a session and emits SIGNED_IN, or returns
// the second step that the platform requires.
import type { Environment } from '../environment.ts'
import type { TextStorage } from '../text-storage.ts'
import type { AuthApi, AuthRequest } from './api.ts'
import { attempt, localError, type Result, toAuthError } from './errors.ts'
import { makePkcePair, VERIFIER_BYTES } from './pkce.ts'
import { type Factor, isRecord, readSession, readUser, type Session, type User } from './session.ts'
import type { SessionStore } from './session-store.ts'

/** A complete sign-in. */
export interface SignedIn {
  readonly user: User
  readonly session: Session
  readonly mfa_required: false
}

/**
 * Result of a correct first step when the user has a second factor. Call `mfa.verify` with `mfa_token`, a factor's id and its
 * code.
 */
export interface SecondStepOwed {
  readonly user: null
  readonly session: null
  readonly mfa_required: true
  readonly mfa_token: string
  readonly factors: readonly OwedFactor[]
}

/** A factor that can complete a sign-in. After a magic link, the client knows only the id of the factor. */
export type OwedFactor = Pick<Factor, 'id'> & Partial<Factor>

/** `data` of a failed sign-in. */
export interface NotSignedIn {
  readonly user: null
  readonly session: null
  readonly mfa_required: false
}

export const NOT_SIGNED_IN: NotSignedIn = { user: null, session: null, mfa_required: false }

/** Result of a sign-in. A user with a second factor is not signed in yet. */
export type SignInResult = Promise<Result<SignedIn | SecondStepOwed, NotSignedIn>>

/** Recipient of a code. `channel` defaults to `email` for an address and to `whatsapp` for a phone. */
export interface OtpTarget {
  readonly email?: string
  readonly phone?: string
  readonly channel?: 'email' | 'whatsapp' | 'sms'
  /** Whether to create a user for an unknown address or phone. Default: true. */
  readonly createUser?: boolean
}

/** Result of sending a code or link. */
export interface Sent {
  /** Lifetime of the code or link in seconds. */
  readonly expires_in: number
  /** Channel of a code; absent for links. */
  readonly channel?: 'email' | 'whatsapp' | 'sms'
}

/** Calls that sign a user up or in. */
export interface SignInCalls {
  /** Creates a user. `options.data` becomes the metadata. `session` is null until the user confirms the e-mail address. */
  signUp(credentials: {
    readonly email: string
    readonly password: string
    readonly options?: { readonly data?: Readonly<Record<string, unknown>> }
  }): Promise<Result<{ user: User; session: Session | null }, { user: null; session: null }>>
  signInWithPassword(credentials: {
    readonly email: string
    readonly password: string
  }): SignInResult
  /** Sends a one-time code, which expires after ten minutes. */
  sendOtp(target: OtpTarget): Promise<Result<Sent>>
  /** Alias of `sendOtp`. */
  signInWithOtp(target: OtpTarget): Promise<Result<Sent>>
  /** Signs in with the one-time code. Write `phone` exactly as in the call to `sendOtp`. */
  verifyOtp(answer: {
    readonly email?: string
    readonly phone?: string
    readonly code: string
  }): SignInResult
  /**
   * Sends a link that leads to `redirectTo` with tokens in the fragment. Handle these tokens with `initialize` or `setSession`.
   */
  signInWithMagicLink(request: {
    readonly email: string
    readonly options?: { readonly redirectTo?: string; readonly createUser?: boolean }
  }): Promise<Result<Sent>>
  /**
   * Begins a social sign-in with PKCE. A page then loads `data.url`, unless `skipBrowserRedirect` is true. The provider returns
   * to `redirectTo` with `?code=`.
   */
  signInWithOAuth(request: {
    readonly provider: string
    readonly options?: { readonly redirectTo?: string; readonly skipBrowserRedirect?: boolean }
  }): Promise<Result<{ provider: string; url: string }, { provider: string; url: null }>>
  /** Completes a social sign-in. Each code can be exchanged only once. */
  exchangeCodeForSession(code: string): SignInResult
}

export interface SignInDeps {
  readonly api: AuthApi
  readonly store: SessionStore
  readonly storage: TextStorage
  /** Storage name of the PKCE verifier. */
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

/** Creates the result that requests a second step. */
export function owing(mfaToken: string, factors: readonly OwedFactor[]): SecondStepOwed {
  return { user: null, session: null, mfa_required: true, mfa_token: mfaToken, factors }
}

/**
 * Stores the session of a sign-in response, or returns the second step that the platform requires.
 * @throws {AuthError} `unexpected_answer`
 */
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
    throw localError(
      'unexpected_answer',
      'The response of the platform contains no URL of the provider.',
    )
  await storage.setItem(verifierName, verifier)
  return url
}

// Exchanges the code and removes the verifier. The verifier stays when no response arrives, so that the caller can retry.
async function spendVerifier(
  { storage, verifierName }: SignInDeps,
  exchange: (verifier: string) => Promise<unknown>,
): Promise<unknown> {
  const verifier = await storage.getItem(verifierName)
  if (verifier === null)
    throw localError(
      'pkce_verifier_missing',
      'This browser did not begin the sign-in of this code. Call signInWithOAuth first, in the same browser and at the same address.',
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
