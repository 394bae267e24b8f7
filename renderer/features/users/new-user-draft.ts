// A new user as it is being written, and the order that comes of it. Pure.
import type { NewProjectUser } from '../../../emulator/contract/users.ts'

export interface NewUserDraft {
  readonly email: string
  readonly phone: string
  readonly password: string
  readonly metadata: string
  readonly isConfirmed: boolean
}

export const EMPTY_DRAFT: NewUserDraft = {
  email: '',
  phone: '',
  password: '',
  metadata: '',
  isConfirmed: true,
}

export type DraftOutcome =
  | { readonly kind: 'ready'; readonly order: NewProjectUser }
  /** `problem` is absent while nothing was written yet. */
  | { readonly kind: 'wrong'; readonly field: keyof NewUserDraft; readonly problem?: string }

export function orderOf(draft: NewUserDraft): DraftOutcome {
  const email = draft.email.trim()
  const phone = draft.phone.trim()
  if (email === '' && phone === '') return { kind: 'wrong', field: 'email' }
  if (draft.password !== '' && email === '')
    return { kind: 'wrong', field: 'password', problem: 'A password goes with an e-mail address.' }
  const metadata = objectOf(draft.metadata)
  if (metadata === undefined)
    return { kind: 'wrong', field: 'metadata', problem: 'This is no JSON object.' }
  return {
    kind: 'ready',
    order: {
      ...(email === '' ? {} : { email, email_confirmed: draft.isConfirmed }),
      ...(phone === '' ? {} : { phone, phone_confirmed: draft.isConfirmed }),
      ...(draft.password === '' ? {} : { password: draft.password }),
      user_metadata: metadata,
    },
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
