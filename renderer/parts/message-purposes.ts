// Words for the purposes of messages and of the codes and links inside them. Pure.
import type { MailboxMessage } from '../../emulator/contract/mailbox.ts'

export const PURPOSES: Readonly<Record<MailboxMessage['purpose'], string>> = {
  confirmation: 'address confirmation',
  one_time_code: 'sign-in code',
  magic_link: 'sign-in link',
  password_reset: 'password reset',
}
