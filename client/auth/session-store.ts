// Stores the session that all tabs share, as one text with the time of arrival and the last event. Every tab compares the
// stored text with the text that it read before. So each tab calls its own listeners exactly once per change.
import type { ClientClock } from '../environment.ts'
import type { ServerTime } from '../server-time.ts'
import type { TextStorage } from '../text-storage.ts'
import type { SessionEvent } from './events.ts'
import { isRecord, isSession, parseJson, type Session } from './session.ts'

export interface KeptSession {
  readonly session: Session
  /** Time of this device when the session arrived, in milliseconds since the Unix epoch. The platform's clock may differ. */
  readonly receivedAt: number
  /** `ServerTime.ahead` when the session arrived. Absent when the platform's time was unknown then. */
  readonly ahead?: number | undefined
}

export type KeepingEvent = Exclude<SessionEvent, 'SIGNED_OUT'>

export interface SessionStore {
  /** Returns the current session. Calls the listeners first when another tab changed it. */
  read(): Promise<KeptSession | undefined>
  /**
   * Stores `session` and returns true. With `instead`, stores `session` only if `instead` is the refresh token of the current
   * session; returns false otherwise.
   */
  save(session: Session, event: KeepingEvent, instead?: string): Promise<boolean>
  /** Replaces the user record in the stored session. */
  saveUser(user: Session['user']): Promise<void>
  /** Removes the session. With `instead`, removes the session only if `instead` is its refresh token. */
  clear(instead?: string): Promise<void>
}

export interface SessionStoreDeps {
  readonly storage: TextStorage
  readonly name: string
  readonly clock: ClientClock
  readonly serverTime: Pick<ServerTime, 'ahead'>
  /** Called after the session changed in any tab. `event` is undefined when the store reads the session for the first time. */
  readonly onChange: (event: SessionEvent | undefined, kept: KeptSession | undefined) => void
  /** Notifies the other tabs. */
  readonly announce: () => void
}

export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const { storage, name, clock, serverTime, onChange, announce } = deps
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
        await put({ session, event, receivedAt: clock.now(), ahead: serverTime.ahead })
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

// Returns `undefined` for text that an older version or another program wrote.
function parse(text: string | null): KeptRecord | undefined {
  const record = parseJson(text)
  return isKeptRecord(record) ? record : undefined
}

function isKeptRecord(record: unknown): record is KeptRecord {
  return (
    isRecord(record) &&
    isSession(record['session']) &&
    typeof record['receivedAt'] === 'number' &&
    ['number', 'undefined'].includes(typeof record['ahead']) &&
    typeof record['event'] === 'string'
  )
}

// Runs tasks one after the other. A storage may respond late, and no other task may run between reading and writing.
function takingTurns(): <Value>(turn: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (turn) => {
    const result = last.then(turn, turn)
    last = result.catch(() => undefined)
    return result
  }
}
