// Functions for tests of codes and links: wait for a message, count messages, follow a link.
import type { AuthWorld } from './auth-world.ts'
import type { Json } from './test-emulator.ts'

/** Waits for the newest unread message to the address or number. */
export async function nextMessage({ at }: Pick<AuthWorld, 'at'>, to: string): Promise<Json> {
  const query = new URLSearchParams({ to, timeout_ms: '2000' })
  const { status, body, text } = await at.call('GET', `/_emulator/v1/mailbox/next?${query}`)
  if (status !== 200) throw new Error(`no message to ${to}: ${status} ${text}`)
  return body
}

/** Counts all messages that the address or number received. */
export async function messageCount({ at }: AuthWorld, to: string): Promise<number> {
  const { body } = await at.call('GET', `/_emulator/v1/mailbox?${new URLSearchParams({ to })}`)
  return body.messages.length
}

export interface Landing {
  readonly status: number
  /** Target of the redirect, without query and fragment. */
  readonly address: string
  readonly query: Readonly<Record<string, string>>
  readonly fragment: Readonly<Record<string, string>>
  readonly headers: Headers
}

/** Requests a link as a click does. Returns the target of its redirect. */
export async function click(link: string, method = 'GET'): Promise<Landing> {
  const { status, headers } = await fetch(link, { method, redirect: 'manual' })
  const location = headers.get('location') ?? ''
  const [rest = '', fragment = ''] = location.split('#')
  const [address = '', query = ''] = rest.split('?')
  return { status, address, query: read(query), fragment: read(fragment), headers }
}

/** The parameters in the fragment of a link. */
export function fragmentOf(link: string): Readonly<Record<string, string>> {
  return read(new URL(link).hash.slice(1))
}

function read(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(text))
}
