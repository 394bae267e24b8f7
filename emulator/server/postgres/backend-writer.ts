// Encodes the port's own messages to a client (PostgreSQL documentation, "Message Formats"). Pure.
import type { EmulatorError } from '../../core/errors.ts'

export const NO_ENCRYPTION: Buffer = Buffer.from('N')

export const AUTHENTICATED: Buffer = message('R', int32(0))

/** Offers SASL mechanisms. */
export function saslOffer(mechanisms: readonly string[]): Buffer {
  return message('R', int32(10), ...mechanisms.map(text), Buffer.from([0]))
}

export function saslContinue(data: string): Buffer {
  return message('R', int32(11), Buffer.from(data))
}

export function saslFinal(data: string): Buffer {
  return message('R', int32(12), Buffer.from(data))
}

export function parameterStatus(name: string, value: string): Buffer {
  return message('S', text(name), text(value))
}

/** Writes the key that the client later sends to cancel its work. */
export function backendKeyData(processId: number, secret: number): Buffer {
  return message('K', int32(processId), int32(secret))
}

/** Announces that only version 3.0 is supported, and which protocol options are unknown. */
export function negotiateVersion(unknownOptions: readonly string[]): Buffer {
  return message('v', int32(0), int32(unknownOptions.length), ...unknownOptions.map(text))
}

export function readyForQuery(state: 'I' | 'T' | 'E'): Buffer {
  return message('Z', Buffer.from(state))
}

export function errorResponse(severity: 'ERROR' | 'FATAL', error: EmulatorError): Buffer {
  return report('E', { S: severity, V: severity, C: error.code, M: error.message, H: error.hint })
}

export function noticeResponse(notice: string): Buffer {
  return report('N', { S: 'NOTICE', V: 'NOTICE', C: '00000', M: notice })
}

function report(kind: 'E' | 'N', fields: Readonly<Record<string, string | undefined>>): Buffer {
  const written = Object.entries(fields).map(([code, value]) =>
    value === undefined ? Buffer.alloc(0) : text(code + value),
  )
  return message(kind, ...written, Buffer.from([0]))
}

function message(kind: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(kind), int32(length), ...parts])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.from(`${value.replaceAll('\0', '')}\0`)
}
