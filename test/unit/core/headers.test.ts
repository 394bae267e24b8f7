// The plain header objects behave like the standard `Headers`, which they replace in the data plane.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeaderList, receivedHeaders } from '../../../emulator/core/headers.ts'
import { PlainRequest } from '../../../emulator/core/plain-http.ts'

const NAMES = ['Accept', 'x-a', 'X-A', 'Cookie', 'Set-Cookie', 'content-type', 'X-B']
const pairs = fc.array(
  fc.tuple(fc.constantFrom(...NAMES), fc.stringMatching(/^[!-~\xa0-\xff]([ -~\xa0-\xff]*[!-~])?$/)),
  { maxLength: 6 },
)

describe('the headers of an answer', () => {
  it('equal the headers of the Fetch standard', () => {
    fc.assert(
      fc.property(pairs, pairs, (appended, set) => {
        const [own, standard] = [new HeaderList(appended), new Headers(appended)]
        for (const [name, value] of set) {
          own.set(name, value)
          standard.set(name, value)
        }
        expect([...own]).toEqual([...standard])
        for (const name of NAMES) {
          expect(own.get(name)).toBe(standard.get(name))
          expect(own.has(name)).toBe(standard.has(name))
        }
        expect([...new Headers(pairsOf(own.toLines()))]).toEqual([...standard])
      }),
    )
  })

  it('refuse characters that would end a line', () => {
    expect(() => new HeaderList().append('x-a', 'one\r\nx-b: two')).toThrow(TypeError)
    expect(() => new HeaderList().set('x-a', '✓')).toThrow(TypeError)
  })
})

describe('the headers of a request', () => {
  it('equal the headers of the Fetch standard, with spaces around values', () => {
    const values = pairs.map((list) => list.filter(([name]) => name !== 'Set-Cookie'))
    fc.assert(
      fc.property(values, (list) => {
        const received = receivedHeaders(list.flatMap(([name, value]) => [name, ` ${value}\t`]))
        expect([...received]).toEqual([...new Headers(list)])
        for (const name of NAMES) expect(received.get(name)).toBe(new Headers(list).get(name))
      }),
    )
  })
})

describe('a plain request', () => {
  it.each([
    'http://127.0.0.1:7357/rooms?select=*&id=eq.1',
    'http://api.localhost/rooms',
    'http://api.localhost/',
    'http://[::1]:7357/a%20b?c=d?e/f#g?h',
    'https://data.test/rooms#part',
    'http://data.test/rooms?',
    'http://data.test/rooms?#a',
    'http://data.test?a=/b',
  ])('has the same URL parts as the URL class for %s', (url) => {
    const { origin, host, pathname, search } = new URL(url)
    const request = new PlainRequest(new Request(url), undefined)
    expect(request).toMatchObject({ origin, host, path: pathname, search })
    expect(request.target).toBe(pathname + search)
  })

  it('aborts its signal when the connection closes before the response is sent', () => {
    const outgoing = new PassThrough()
    const incoming = new IncomingMessage(new Socket())
    const { signal } = new PlainRequest(new Request('http://data.test/'), { incoming, outgoing })
    const [heard, removed]: [string[], string[]] = [[], []]
    const forget = (): unknown => removed.push('called')
    signal.addEventListener('abort', () => heard.push('called'))
    signal.addEventListener('abort', forget)
    signal.removeEventListener('abort', forget)
    expect(signal.aborted).toBe(false)
    outgoing.destroy()
    outgoing.emit('close')
    expect([signal.aborted, heard, removed]).toEqual([true, ['called'], []])
  })
})

function pairsOf(lines: readonly string[]): [string, string][] {
  return lines.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, lines[at + 1] ?? '']] : [],
  )
}
