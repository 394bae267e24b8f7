// Replays a recording against an emulator, and compares each answer with the recorded one. The replay learns during the run
// which ids and tokens correspond.
import { createHash } from 'node:crypto'
import { createActing } from '../compare/acting.ts'
import { BODIES, compareAnswers } from '../compare/compare-answers.ts'
import { compareEvents } from '../compare/compare-events.ts'
import type { Comparing } from '../compare/comparing.ts'
import type { ComparedRequest } from '../compare/comparison.ts'
import { Correspondence, GLOBAL } from '../compare/correspondence.ts'
import { type Difference, difference } from '../compare/difference.ts'
import { type Endpoint, endpointOf, localPath } from '../compare/endpoint.ts'
import { mapFrame } from '../compare/frames.ts'
import { clientEnds, EVENT_MILLIS } from '../compare/late-events.ts'
import { timeRules } from '../compare/time-rules.ts'
import type { CredentialFacts, HarEntry, HarFrame, Plane } from '../har/har.ts'
import { PLACEHOLDER } from '../masking/placeholders.ts'
import { movedText, type PlaneBases, socketUrl } from '../planes.ts'
import { factsOf, learnBeforehand } from './known-beforehand.ts'
import { type OpenSocket, openSocket, startOf, timeOf } from './open-socket.ts'
import type { ReplayPlatform } from './platform.ts'
import { openReplaySocket } from './replay-socket.ts'
import { sendRequest } from './send-request.ts'
import { createStandIns, type StandIns } from './stand-ins.ts'
import { isSocket, reasonToSkip, type Step, stepsOf } from './timeline.ts'
import { pathOf, type ReplayedRequest, translateRequest } from './translate-request.ts'

export interface ReplayOptions {
  readonly entries: readonly HarEntry[]
  /** Addresses of the recorded platform. */
  readonly recordedBases: PlaneBases
  readonly maxBodyBytes: number
  readonly platform: ReplayPlatform
}

/** Wall-clock milliseconds to wait for additional events, which the recording does not have. */
const FURTHER_EVENT_MILLIS = 100

/** Replays all requests. Returns the results in the order in which the requests started. */
export async function replay(options: ReplayOptions): Promise<readonly ComparedRequest[]> {
  const run = new Replay(options)
  learnBeforehand(options.entries, await options.platform.info(), run.pairs)
  for (const step of stepsOf(options.entries)) await run.take(step)
  return run.results()
}

class Replay {
  readonly pairs = new Correspondence()
  readonly #options: ReplayOptions
  readonly #standIns: StandIns
  readonly #claims: ReadonlyMap<string, CredentialFacts['claims']>
  readonly #results = new Map<HarEntry, readonly Difference[]>()
  readonly #lateEvents = new Map<HarEntry, number>()
  readonly #sockets = new Map<HarEntry, OpenSocket>()
  readonly #offsets: number[] = []
  readonly #recordedStart: number
  readonly #replayedStart: number
  /** Time of the latest step in the recording, in epoch milliseconds. */
  #reachedAt: number

  constructor(options: ReplayOptions) {
    const { entries, platform } = options
    this.#options = options
    this.#claims = new Map(factsOf(entries).map(({ claims, placeholder }) => [placeholder, claims]))
    this.#standIns = createStandIns(platform, this.pairs, this.#claims)
    this.#recordedStart = Math.min(...entries.map(startOf))
    this.#replayedStart = platform.now()
    this.#reachedAt = this.#recordedStart
  }

  results(): readonly ComparedRequest[] {
    const actingOf = createActing(factsOf(this.#options.entries))
    const byStart = this.#options.entries.toSorted((a, b) => a._order - b._order)
    return byStart.map((entry, index) => {
      const skipped = reasonToSkip(entry)
      return {
        endpoint: this.#endpointOf(entry),
        ...actingOf(entry),
        lateEvents: this.#lateEvents.get(entry) ?? 0,
        number: index + 1,
        target: localPath(entry._plane, pathOf(entry)),
        status: entry.response.status,
        differences: this.#results.get(entry) ?? [],
        ...(skipped === undefined ? {} : { skipped }),
      }
    })
  }

  async take(step: Step): Promise<void> {
    const { entry } = step
    if (reasonToSkip(entry) !== undefined) return
    await this.#catchUp(step.after)
    await this.#reach(timeOf(step))
    switch (step.kind) {
      case 'request':
        return this.#request(entry)
      case 'open':
        return this.#open(entry)
      case 'send':
        return this.#send(entry, step.frame)
      case 'close':
        return this.#close(entry)
      default:
        return step satisfies never
    }
  }

  // Before a step that follows a pause of the recording, waits for events that the recording would have received during the
  // pause.
  async #reach(at: number): Promise<void> {
    const sockets = [...this.#sockets.values()]
    if (at - this.#reachedAt > EVENT_MILLIS)
      await Promise.all(
        sockets.map(({ socket }) =>
          socket.arrived(socket.received.length + 1, FURTHER_EVENT_MILLIS),
        ),
      )
    for (const open of sockets) open.reach(at)
    this.#reachedAt = at
  }

  async #request(entry: HarEntry): Promise<void> {
    const { maxBodyBytes, platform } = this.#options
    await platform.reach(startOf(entry))
    const request = await this.#translated(entry)
    this.#relateBodies(entry, request)
    const sentAt = platform.now()
    const answer = await sendRequest(platform, entry._plane, request, maxBodyBytes)
    if (answer.content.encoding === undefined) this.#standIns.noteAnswer(answer.content.text ?? '')
    const comparing = this.#comparing(entry, sentAt)
    const { response } = entry
    this.#results.set(
      entry,
      answer.status === 0 && response.status !== 0
        ? [difference('no_answer', 'status', response.status, answer.content.text)]
        : compareAnswers(response, answer, comparing),
    )
  }

  // When the recording does not have the body of a request, the replay sends other bytes. A later answer can contain these
  // bytes, so the hashes are related.
  #relateBodies({ request: { postData } }: HarEntry, { body }: ReplayedRequest): void {
    const { _sha256: hash } = postData ?? {}
    if (hash === undefined || body === undefined) return
    this.pairs.renew(BODIES, hash, createHash('sha256').update(body).digest('hex'))
  }

  async #open(entry: HarEntry): Promise<void> {
    const { platform } = this.#options
    await platform.reach(startOf(entry))
    const startedAt = platform.now()
    const base = socketUrl(platform.bases[entry._plane])
    const socket = await openReplaySocket(base, await this.#translated(entry), platform.http)
    const recorded = entry.response
    const differences = compareAnswers(
      { ...recorded, headers: [] },
      { ...socket.answer, headers: [] },
      this.#comparing(entry, startedAt),
    )
    this.#results.set(entry, differences)
    if (socket.answer.status !== 101 || recorded.status !== 101) return
    this.#sockets.set(entry, openSocket(entry, socket, startedAt))
  }

  async #send(entry: HarEntry, frame: HarFrame): Promise<void> {
    const open = this.#sockets.get(entry)
    // A text frame cannot be sent when the recording left out its text.
    if (open === undefined || (frame.opcode === 1 && frame._size !== undefined)) return
    if (frame.opcode === 1) await this.#explain(frame.data, entry)
    open.socket.send(mapFrame(frame, (text) => this.#text(text)))
  }

  async #close(entry: HarEntry): Promise<void> {
    const open = this.#sockets.get(entry)
    if (open === undefined) return
    const { expected, placeOf, socket, startedAt } = open
    const close = entry._webSocketClose
    await socket.arrived(expected.length, EVENT_MILLIS)
    if (close?.by === 'server') await socket.closed(EVENT_MILLIS)
    else await socket.arrived(expected.length + 1, FURTHER_EVENT_MILLIS)
    const closedWith = socket.closedWith
    socket.close(close?.code ?? null, close?.reason ?? '')
    this.#sockets.delete(entry)
    const comparing = this.#comparing(entry, startedAt)
    const endings = { ends: clientEnds(entry), placeOf }
    const events = compareEvents(expected, socket.received, comparing, endings)
    this.#lateEvents.set(entry, events.lateEvents)
    const recordedCode = close?.by === 'server' ? (close.code ?? undefined) : undefined
    const ends =
      recordedCode === closedWith ? [] : [difference('closed', 'close', recordedCode, closedWith)]
    this.#results.set(entry, [...(this.#results.get(entry) ?? []), ...events.differences, ...ends])
  }

  // Waits for the frames that the recorded sockets had received before this place of the recording. Learns ids from these
  // frames.
  async #catchUp(place: number): Promise<void> {
    for (const [entry, open] of this.#sockets) {
      const count = open.expected.filter(({ _order }) => _order < place).length
      if (count <= open.learned) continue
      await open.socket.arrived(count, EVENT_MILLIS)
      const trial = this.#comparing(entry, open.startedAt)
      const range = [open.learned, count] as const
      const learned = { ...trial, pairs: this.pairs.fork() }
      compareEvents(open.expected.slice(...range), open.socket.received.slice(...range), learned)
      this.pairs.adopt(learned.pairs)
      open.learned = count
    }
  }

  async #translated(entry: HarEntry): Promise<ReplayedRequest> {
    const { request } = entry
    const headers = request.headers.map(({ value }) => value)
    await this.#explain([request.url, ...headers, request.postData?.text ?? ''].join('\n'), entry)
    const { route } = this.#endpointOf(entry)
    return translateRequest(entry, { pairs: this.pairs, moved: (text) => this.#moved(text), route })
  }

  // Finds values for the placeholders that no answer has explained.
  async #explain(text: string, entry: HarEntry): Promise<void> {
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
      if (this.pairs.replayedOf(GLOBAL, placeholder) !== undefined) continue
      this.pairs.relate(GLOBAL, placeholder, await this.#standIns.find(placeholder, entry))
    }
  }

  #text(text: string): string {
    return this.pairs.translate(this.#moved(text))
  }

  #moved(text: string): string {
    return movedText(text, this.#options.recordedBases, this.#options.platform.bases)
  }

  #comparing(entry: HarEntry, sentAt: number): Comparing {
    const { platform } = this.#options
    const recordedNow = startOf(entry)
    return {
      pairs: this.pairs,
      recordedNow,
      route: this.#endpointOf(entry).route,
      moved: (text) => this.#moved(text),
      claimsOf: (placeholder) => this.#claims.get(placeholder),
      times: timeRules(
        {
          recorded: { start: this.#recordedStart, now: recordedNow, duration: entry.time },
          replayed: {
            start: this.#replayedStart,
            now: sentAt,
            duration: Math.max(0, platform.now() - sentAt),
          },
          dataFrom: platform.dataFrom,
        },
        this.#offsets,
      ),
    }
  }

  #endpointOf(entry: HarEntry): Endpoint {
    const { method } = entry.request
    return endpointOf(entry._plane, method, pathOf(entry), isSocket(entry))
  }
}

/** Returns the addresses that the recorded requests used. Some of these addresses come from token answers. */
export function recordedBasesOf(
  entries: readonly HarEntry[],
  targets: Readonly<Partial<Record<Plane, string>>>,
): PlaneBases {
  const used = Object.fromEntries(entries.map(({ _base, _plane }) => [_plane, _base]))
  const [any = ''] = Object.values(used)
  const auth = used['auth'] ?? targets.auth ?? any
  const first = { auth, data: auth, storage: auth, realtime: auth }
  return { ...first, ...targets, ...used }
}
