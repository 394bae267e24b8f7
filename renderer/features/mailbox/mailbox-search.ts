// Search parameters in the address of the mailbox screen: the filters and the open message.
import { number, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'
import { membersOf } from '../../ui/form-values.ts'
import { CHANNELS, type Channel } from './texts.ts'

export interface MailboxSearch {
  /** Text that must occur in a recipient, subject, body or code. */
  readonly q?: string | undefined
  /** Slug of the project to filter by. */
  readonly tenant?: string | undefined
  readonly channel?: Channel | undefined
  /** The number of the open message. */
  readonly message?: number | undefined
  /** The format of the open message. The message shows as HTML, if it has HTML, when the parameter is absent. */
  readonly format?: 'text' | undefined
}

export const parseMailboxSearch: SearchReader<MailboxSearch> = searchReader<MailboxSearch>({
  q: text,
  tenant: text,
  channel: oneOf(membersOf(CHANNELS)),
  message: number,
  format: oneOf(['text']),
})

export function isFiltered({ q, tenant, channel }: MailboxSearch): boolean {
  return q !== undefined || tenant !== undefined || channel !== undefined
}
