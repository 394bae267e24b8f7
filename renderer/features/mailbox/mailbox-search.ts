// What the address of this screen holds beside its path: the filters and the open message. Pure.
import { choiceIn, compact, numberIn, type RawSearch, textIn } from '../../parts/search-values.ts'

export const CHANNELS = ['email', 'whatsapp', 'sms'] as const
export type Channel = (typeof CHANNELS)[number]

export interface MailboxSearch {
  /** Part of a recipient, subject, text or code. */
  readonly q?: string
  /** Slug of a project. */
  readonly tenant?: string
  readonly channel?: Channel
  /** Number of the open message. */
  readonly message?: number
  /** How the open message shows; as HTML when it has any. */
  readonly as?: 'text'
}

export function parseMailboxSearch(raw: RawSearch): MailboxSearch {
  return compact<MailboxSearch>({
    q: textIn(raw, 'q'),
    tenant: textIn(raw, 'tenant'),
    channel: choiceIn(raw, 'channel', CHANNELS),
    message: numberIn(raw, 'message'),
    as: choiceIn(raw, 'as', ['text'] as const),
  })
}

export function isFiltered({ q, tenant, channel }: MailboxSearch): boolean {
  return q !== undefined || tenant !== undefined || channel !== undefined
}
