// The steps of a replay in the order of the recording. Pure.
import type { HarEntry, HarFrame } from '../har/har.ts'

interface StepFacts {
  readonly entry: HarEntry
  /** Events that sockets received before this place of the recording must also arrive before the step in the replay. */
  readonly after: number
}

export type Step =
  | (StepFacts & { readonly kind: 'request' })
  | (StepFacts & { readonly kind: 'open' })
  | (StepFacts & { readonly kind: 'send'; readonly frame: HarFrame })
  | (StepFacts & { readonly kind: 'close' })

/**
 * Orders the steps. Requests that overlapped run one after the other, in the order of their ends, because a slow upload has its
 * effect only at its end.
 */
export function stepsOf(entries: readonly HarEntry[]): readonly Step[] {
  const placed = entries.flatMap((entry): readonly (readonly [number, Step])[] => {
    const { _ended: ended, _order: started } = entry
    if (!isSocket(entry)) return [[ended, { kind: 'request', entry, after: started }]]
    const frames = (entry._webSocketMessages ?? []).filter(({ type }) => type === 'send')
    return [
      [started, { kind: 'open', entry, after: started }],
      ...frames.map((frame): readonly [number, Step] => [
        frame._order,
        { kind: 'send', entry, frame, after: frame._order },
      ]),
      [ended, { kind: 'close', entry, after: ended }],
    ]
  })
  return placed.sort(([a], [b]) => a - b).map(([, step]) => step)
}

/** Returns whether the request asked for a WebSocket, also when the platform refused it. */
export function isSocket({ request }: HarEntry): boolean {
  return request.headers.some(
    ({ name, value }) => /^upgrade$/i.test(name) && /^websocket$/i.test(value),
  )
}

/** Returns why a request cannot be replayed. */
export function reasonToSkip({ _plane, request, response }: HarEntry): string | undefined {
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url
  // When the platform lost its answer, the replay can compare that. All other missing answers were caused by the client or the
  // network.
  const isLost = response.status === 0 && /hang up|ECONNRESET/.test(response._error ?? '')
  if (response._error !== undefined && !isLost)
    return `The recording has no complete answer: ${response._error}`
  if (_plane === 'auth' && path.startsWith('/_emulator'))
    return 'This path belongs to the emulator’s own API.'
  const isSigned =
    request.headers.some(
      ({ name, value }) => /^authorization$/i.test(name) && /^AWS4-/.test(value),
    ) || /[?&]x-amz-signature=/i.test(request.url)
  return isSigned ? 'The signature of S3 covers the recorded address.' : undefined
}
