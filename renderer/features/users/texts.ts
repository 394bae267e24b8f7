// This file holds all texts of the users screen, so that you can review them together. Pure.
import { countOf } from '../../ui/form-values.ts'
import { formatDuration } from '../../ui/format.ts'

export const EMPTY = {
  users: {
    title: 'No users yet',
    detail:
      'Users appear when they sign up through /auth/v1 or come from a fixture. You can also create a user here.',
  },
  sessions: {
    title: 'No sessions',
    detail:
      'A session appears when the user signs in. Tokens from “Sign in as this user” have no session.',
  },
  messages: {
    title: 'No messages to this user',
    detail: 'A code or link appears here when the application sends one.',
  },
  identities: 'No provider linked.',
  factors: 'No second factor enrolled.',
  password: 'none; the user signs in by code, link or provider',
} as const

export const HINTS = {
  password: 'Optional. Without a password the user signs in by code, link or provider.',
  passwordNeedsEmail: 'A password requires an e-mail address.',
} as const

export const DELETE_USER =
  'Deletes the user with all sessions, identities and factors. Rows of your own tables stay.'

export function noMatchText(words: string): string {
  return `No user’s address contains “${words}”`
}

export function sessionsEndedText(count: number): string {
  return `${countOf(count, 'session')} ended`
}

/** `expiresIn` is in seconds, or `null` when the token does not expire. */
export function tokenText(expiresIn: number | null): string {
  const validity =
    expiresIn === null ? '' : `, valid for ${formatDuration(expiresIn * 1_000)} of platform time`
  return `Token for Authorization: Bearer${validity}`
}
