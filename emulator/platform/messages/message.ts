// Messages that the hosted platform would send. The emulator only stores them in the mailbox (docs/wire/auth.md).
import type { SchemaName } from '../../core/names.ts'
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS } from '../../core/time.ts'

export type MessageChannel = 'email' | 'whatsapp' | 'sms'

/** Why a message was sent. Determines its text. */
export type MessagePurpose =
  | 'confirmation' /* a link that confirms the address of a sign-up */
  | 'one_time_code'
  | 'magic_link'
  | 'password_reset'

/** How long the code and the link of a message work, in platform milliseconds. */
export const MESSAGE_MILLIS: Readonly<Record<MessagePurpose, number>> = {
  confirmation: DAY_MILLIS,
  one_time_code: 10 * MINUTE_MILLIS,
  magic_link: HOUR_MILLIS,
  password_reset: HOUR_MILLIS,
}

/** A message that a service sends. */
export interface OutgoingMessage {
  readonly schemaName: SchemaName
  readonly channel: MessageChannel
  /** E-mail address or phone number, as the caller wrote it. */
  readonly recipient: string
  readonly purpose: MessagePurpose
  readonly code?: string
  readonly link?: string
}

/** Accepts messages. A message is stored when `send` returns. */
export interface Outbox {
  send(message: OutgoingMessage): void
  /** Does the work of `send` without storing, so that the response time does not reveal whether a user exists. */
  discard(message: OutgoingMessage): void
}
