// Saves the settings and LISTEN channels of a client of the Postgres port while other work has the backend, and restores them
// afterwards. Statements prepared with SQL's PREPARE are lost.

import { cellText, type StatementResult } from '../../../engine.ts'
import { literal } from '../../../sql.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { END, type Session, singleStatement } from '../session/session.ts'
import { GucAction, GucContext, GucSource, setOption } from '../session/settings.ts'

export interface SavedSession {
  readonly settings: readonly (readonly [name: string, value: string])[]
  readonly channels: readonly string[]
}

export const NOTHING_SAVED: SavedSession = {
  settings: [],
  channels: [],
}

// The statements run as the client with its search path, so every name is qualified.
const READ_SETTINGS = `select name, setting from pg_catalog.pg_settings
  where source operator(pg_catalog.=) 'session' and context operator(pg_catalog.=) 'user'
    and name operator(pg_catalog.<>) all (array['transaction_isolation', 'transaction_read_only', 'transaction_deferrable'])`
const READ_CHANNELS = 'select pg_catalog.pg_listening_channels()'
const READ = new FrontendMessages()
  .statement(READ_SETTINGS)
  .statement(READ_CHANNELS)
  .append(END)
  .bytes()
const CUSTOM_NAME = /^[a-z_][\w$]*(\.[a-z_][\w$]*)+$/

/** Reads the settings and channels to restore later. The session needs no open transaction for this call. */
export function saveSession(session: Session): SavedSession {
  const custom = [...(session.guard?.customSettings ?? [])].filter((name) => CUSTOM_NAME.test(name))
  const [settings, channels] = read(session, READ)
  return {
    settings: [...pairs(settings), ...readCustom(session, custom)],
    channels: pairs(channels).map(([name]) => name),
  }
}

/** Restores the settings and channels. The client must hold the session again. */
export function restoreSession(session: Session, saved: SavedSession): void {
  session.between(() => {
    for (const [name, value] of saved.settings)
      setOption(session.backend, name, value, {
        context: GucContext.user,
        source: GucSource.session,
        action: GucAction.set,
      })
  })
  for (const [name] of saved.settings)
    if (name.includes('.')) session.guard?.customSettings.add(name)
  const statements = saved.channels.map((channel) => `listen "${channel.replaceAll('"', '""')}"`)
  if (statements.length > 0)
    session.backend.exchange(new FrontendMessages().query(statements.join(';')).bytes())
}

function readCustom(session: Session, names: readonly string[]): [string, string][] {
  if (names.length === 0) return []
  const list = names.map(
    (name) => `${literal(name).text}, pg_catalog.current_setting(${literal(name).text}, true)`,
  )
  const text = list.map((pair) => `select ${pair}`).join(' union all ')
  return pairs(read(session, singleStatement(text))[0])
}

function read(session: Session, messages: Uint8Array): readonly StatementResult[] {
  return parseBackendMessages(session.backend.exchange(messages)).results
}

function pairs(result: StatementResult | undefined): [string, string][] {
  return (result?.rows ?? [])
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [cellText(name) ?? '', cellText(value) ?? ''])
}
