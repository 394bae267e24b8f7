// Messages that the hosted platform would send. Here they only reach the mailbox (docs/wire/auth.md).
import type { SchemaName } from '../core/names.ts'

export type MessageChannel = 'email' | 'whatsapp' | 'sms'

/** Why a message was sent; its texts follow from it. */
export type MessagePurpose =
  | 'confirmation' /* link that confirms the address of a sign-up */
  | 'one_time_code'
  | 'magic_link'
  | 'password_reset'

/** A message as a service hands it over. */
export interface OutgoingMessage {
  readonly schemaName: SchemaName
  readonly channel: MessageChannel
  /** E-mail address or phone number, as the caller wrote it. */
  readonly recipient: string
  readonly purpose: MessagePurpose
  readonly code?: string
  readonly link?: string
}

/** Takes messages; a message is stored when `send` returns. */
export interface Outbox {
  send(message: OutgoingMessage): void
  /** Does the work of sending without storing: for answers whose time must not reveal whether a user exists. */
  discard(message: OutgoingMessage): void
}
