// The type of the target's cases, and stored cases that once failed.
export interface PostgresCase {
  /** Whether the client has logged in. */
  readonly phase: 'startup' | 'session'
  /** Bytes in base64. A session gets only complete messages, so that the test can wait for an answer. */
  readonly messages: readonly string[]
}

const message = (kind: string, body = ''): string => {
  const bytes = Buffer.alloc(body.length + 5)
  bytes.write(kind)
  bytes.writeInt32BE(body.length + 4, 1)
  bytes.write(body, 5, 'latin1')
  return bytes.toString('base64')
}
const COPY = message('Q', 'copy items from stdin\0')

export const POSTGRES_EXAMPLES: Readonly<Record<string, PostgresCase>> = {
  'a Bind in the middle of a COPY had no answer': {
    phase: 'session',
    messages: [
      message('S'),
      COPY,
      message('B', '\0\0\0\0\0\0\0\0'),
      message('P', 'a\0select 1\0\0\0'),
    ],
  },
  'a query in the middle of a COPY had no answer': {
    phase: 'session',
    messages: [COPY, message('Q', 'vacuum\0')],
  },
  'a client that left in the middle of a COPY kept the engine': {
    phase: 'session',
    messages: [COPY, message('X')],
  },
}
