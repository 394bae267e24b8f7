// This file holds all texts of the mailbox, so that you can review them together. Pure.
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'

export type Channel = MailboxMessage['channel']

export const CHANNELS: Readonly<Record<Channel, string>> = {
  email: 'E-mail',
  whatsapp: 'WhatsApp',
  sms: 'SMS',
}

export const EMPTY = {
  messages: {
    title: 'No messages yet',
    detail:
      'E-mails, WhatsApp messages and SMS appear here with their codes and links. The emulator never sends messages.',
  },
  matches: { title: 'No message matches' },
} as const

export const WAIT =
  'The request returns the newest unread message that matches, or waits up to 10 s for the next one. A test that needs the one-time code can read the code with this request.'
