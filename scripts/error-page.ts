// The tables of docs/wire/errors.md, from the tables of refusals in the code. Pure; `npm run docs` writes them, and a test fails
// when the page is older than the code.
import { EDGE_REFUSALS } from '../emulator/core/edge-refusals.ts'
import { ERROR_SOURCES } from '../emulator/insight/faults/errors/error-sources.ts'
import { EXCHANGE_REFUSALS } from '../emulator/platform/credentials/exchange-refusals.ts'
import { REFUSED_ANON } from '../emulator/services/data/sql-states.ts'
import { JOIN_TEXTS } from '../emulator/services/realtime/refusals.ts'
import { STORAGE_REFUSALS, type StorageRow } from '../emulator/services/storage/refusals.ts'
import { S3_REFUSALS } from '../emulator/services/storage/s3/s3-refusals.ts'
import { byStatus, refusalTable, table, textsOf } from './reference-pages.ts'

/** Each table of the page by the name in its marker. */
const TABLES: Readonly<Record<string, () => string>> = {
  management: () => refusalTable(ERROR_SOURCES.control.codes),
  exchange: () => refusalTable(EXCHANGE_REFUSALS),
  edge: () => {
    // Omits `not_found`, because the tables of management and auth already have a row for a path that does not exist.
    const { not_found: _notFound, ...rows } = EDGE_REFUSALS
    return refusalTable(rows)
  },
  auth: () => refusalTable(ERROR_SOURCES.auth.codes),
  data: () => refusalTable(ERROR_SOURCES.data.codes, { 42501: REFUSED_ANON }),
  storage: () =>
    table(
      ['status', 'code', 'members `statusCode`, `error` and `code`', 'meaning', 'what to do'],
      byStatus(Object.entries<StorageRow>(STORAGE_REFUSALS)).map(([code, row]) => [
        String(row.status),
        `\`${code}\``,
        row.body.map((member) => `\`${member}\``).join(', '),
        ...textsOf(row),
      ]),
    ),
  s3: () => refusalTable(S3_REFUSALS),
  realtime: () => refusalTable(ERROR_SOURCES.realtime.codes),
  handshake: () => refusalTable(ERROR_SOURCES.handshake.codes),
  join: () =>
    table(
      ['code', 'text'],
      Object.entries(JOIN_TEXTS).map(([code, text]) => [`\`${code}\``, `\`${text}\``]),
    ),
}

const MARKER = /(<!-- refusals: (\w+) -->\n\n)(?:\|.*\n)*/g

/** Replaces the tables of the page. @throws when the page lacks a table, or names an unknown one */
export function withErrorTables(page: string): string {
  const names = [...page.matchAll(MARKER)].map(([, , name]) => name)
  if (names.toSorted().join() !== Object.keys(TABLES).toSorted().join())
    throw new Error(`the page has the tables ${names.join(', ')}`)
  return page.replace(MARKER, (_table, head, name) => `${head}${TABLES[name]?.()}\n`)
}
