import { describe, expect, it } from 'vitest'
import { readRequestText } from '../../../emulator/core/request-text.ts'
import { until } from '../../support/until.ts'

const MOST = 8

function request(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request('http://h/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

/** A request body without a Content-Length header. */
function stream(...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

describe('the text of a request', () => {
  it.each<[string, BodyInit | null, Record<string, string>, object]>([
    ['no body', null, {}, { kind: 'text', text: '' }],
    ['an announced length', 'olá', { 'content-length': '4' }, { kind: 'text', text: 'olá' }],
    ['just as much as may be', '12345678', {}, { kind: 'text', text: '12345678' }],
    ['more than may be', '123456789', {}, { kind: 'tooLarge' }],
    ['more announced than may be', '1', { 'content-length': '9' }, { kind: 'tooLarge' }],
    ['bytes that are no UTF-8', new Uint8Array([0xff]), {}, { kind: 'notUtf8' }],
  ])('contains %s', async (_, body, headers, expected) => {
    expect(await readRequestText(request(body, headers), MOST)).toEqual(expected)
  })

  it('joins a character that arrives in two pieces', async () => {
    const body = stream(new Uint8Array([0xc3]), new Uint8Array([0xa9]))
    expect(await readRequestText(request(body), MOST)).toEqual({ kind: 'text', text: 'é' })
  })

  it('is refused as too large before the rest of the body arrives', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(9)),
    })
    expect(await readRequestText(request(body), MOST)).toEqual({ kind: 'tooLarge' })
  })

  it('is not read endlessly after a refusal', async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
      cancel: () => {
        isCancelled = true
      },
    })
    await readRequestText(request(body), MOST)
    await until(() => isCancelled)
  })
})
