// The session that all tabs share: one text in a storage, with its time and event. Every tab compares it with the text it read
// last, so that each calls its own listeners exactly once per change.
import type { ClientClock } from '../environment.ts'
import type { TextStorage } from '../text-storage.ts'
import type { SessionEvent } from './events.ts'
import { isRecord, isSession, type Session } from './session.ts'

export interface KeptSession {
  readonly session: Session
  /** This device's time at the answer, milliseconds since the Unix epoch: the platform's clock may be another. */
  readonly receivedAt: number
}

export type KeepingEvent = Exclude<SessionEvent, 'SIGNED_OUT'>

export interface SessionStore {
  /** The current session. Listeners are called first when another tab changed it. */
  read(): Promise<KeptSession | undefined>
  /** Keeps `session`; with `instead` only in place of the session that has this refresh token. Gives whether it did. */
  save(session: Session, event: KeepingEvent, instead?: string): Promise<boolean>
  /** Gives the kept session another user record. */
  saveUser(user: Session['user']): Promise<void>
  /** Forgets the session; with `instead` only the one that has this refresh token. */
  clear(instead?: string): Promise<void>
}

export interface SessionStoreDeps {
  readonly storage: TextStorage
  readonly name: string
  readonly clock: ClientClock
  /** Called after every change of any tab; without an event when the session is first read. */
  readonly onChange: (event: SessionEvent | undefined, kept: KeptSession | undefined) => void
  /** Notifies the other tabs. */
  readonly announce: () => void
}

export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const { storage, name, clock, onChange, announce } = deps
  let seen: string | null | undefined
  const inTurn = takingTurns()

  const look = async (): Promise<KeptRecord | undefined> => {
    const text = await storage.getItem(name)
    const kept = parse(text)
    if (text === seen) return kept
    const first = seen === undefined
    seen = text
    if (!first || kept !== undefined)
      onChange(first ? undefined : (kept?.event ?? 'SIGNED_OUT'), kept)
    return kept
  }
  const put = async (record: KeptRecord): Promise<void> => {
    const text = JSON.stringify(record)
    await storage.setItem(name, text)
    seen = text
    announce()
    onChange(record.event, record)
  }

  return {
    read: () => inTurn(look),
    save: (session, event, instead) =>
      inTurn(async () => {
        if (instead !== undefined && (await look())?.session.refresh_token !== instead) return false
        await put({ session, event, receivedAt: clock.now() })
        return true
      }),
    saveUser: (user) =>
      inTurn(async () => {
        const kept = await look()
        if (kept === undefined) return
        await put({ ...kept, session: { ...kept.session, user }, event: 'USER_UPDATED' })
      }),
    clear: (instead) =>
      inTurn(async () => {
        const kept = await look()
        if (instead !== undefined && kept?.session.refresh_token !== instead) return
        await storage.removeItem(name)
        const had = seen !== null
        seen = null
        announce()
        if (had) onChange('SIGNED_OUT', undefined)
      }),
  }
}

interface KeptRecord extends KeptSession {
  readonly event: KeepingEvent
}

// Text of an older version or another program counts as no session.
function parse(text: string | null): KeptRecord | undefined {
  if (text === null) return undefined
  try {
    const record: unknown = JSON.parse(text)
    return isKeptRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

function isKeptRecord(record: unknown): record is KeptRecord {
  return (
    isRecord(record) &&
    isSession(record['session']) &&
    typeof record['receivedAt'] === 'number' &&
    typeof record['event'] === 'string'
  )
}

// A storage may answer late; between reading and writing nothing else of this tab may happen.
function takingTurns(): <Value>(turn: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (turn) => {
    const result = last.then(turn, turn)
    last = result.catch(() => undefined)
    return result
  }
}
