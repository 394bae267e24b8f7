// Converts the form's draft of a new user to the order that the form sends. Pure.
import type { NewProjectUser } from '../../../emulator/contract/users.ts'
import type { FormReading } from '../../ui/form.tsx'
import { jsonObjectOf, NOT_A_JSON_OBJECT } from '../../ui/form-values.ts'
import { HINTS } from './texts.ts'

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

export function readDraft(draft: NewUserDraft): FormReading<NewUserDraft, NewProjectUser> {
  const email = draft.email.trim()
  const phone = draft.phone.trim()
  const { password, isConfirmed } = draft
  const metadata = jsonObjectOf(draft.metadata)
  if (metadata === undefined) return { kind: 'wrong', problems: { metadata: NOT_A_JSON_OBJECT } }
  if (password !== '' && email === '')
    return { kind: 'wrong', problems: { password: HINTS.passwordNeedsEmail } }
  if (email === '' && phone === '') return { kind: 'wrong', problems: {} }
  return {
    kind: 'ready',
    order: {
      ...(email === '' ? {} : { email, email_confirmed: isConfirmed }),
      ...(phone === '' ? {} : { phone, phone_confirmed: isConfirmed }),
      ...(password === '' ? {} : { password }),
      user_metadata: metadata,
    },
  }
}
