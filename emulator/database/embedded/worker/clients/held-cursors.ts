// Saves the cursors WITH HOLD of a client of the Postgres port while other work has the backend. Declares them again afterwards
// with the rows that Postgres had stored at the end of their transaction.
import { cellText, type StatementResult } from '../../../engine.ts'
import { literal, quoteIdentifier } from '../../../sql.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import type { Session } from '../session/session.ts'

export interface HeldCursor {
  /** The statement that declares the cursor again. Contains the cursor's rows. */
  readonly declaration: string
  /** The statement that moves the cursor to its position. `undefined` when the position is before the first row. */
  readonly move: string | undefined
}

/** Maximum number of characters in the rows of a client's cursors. Declaring a cursor again needs several copies of its rows. */
const MAX_CHARACTERS = 32 << 20
/** Rows can be large, so few are read at a time. */
const ROWS_AT_ONCE = 500
// Resets the client's settings, because the texts of values must not depend on them. The session is cleaned afterwards anyway.
const RESET = 'reset all'

interface Columns {
  readonly names: readonly string[]
  readonly types: readonly number[]
  /** One array literal of Postgres for each column. */
  readonly values: readonly string[]
}

/**
 * Reads the cursors to declare again later, and resets all settings. Leaves out a cursor when its rows and the rows of earlier
 * cursors together have more than 32 million characters.
 */
export function saveCursors(session: Session): readonly HeldCursor[] {
  const declared = [...(session.guard?.heldCursors ?? [])]
  if (declared.length > 0) query(session, RESET)
  let room = MAX_CHARACTERS
  return declared.flatMap(([name, isScroll]) => {
    const cursor = quoteIdentifier(name)
    const move = isScroll ? rewind(session, cursor) : undefined
    const columns = readColumns(session, cursor, room)
    if (columns === undefined) return []
    const declaration = declarationOf(session, { cursor, isScroll }, columns)
    room -= declaration.length
    return [{ declaration, move }]
  })
}

/** Declares the cursors again. A cursor is lost when the type of one of its columns was changed or dropped meanwhile. */
export function restoreCursors(session: Session, cursors: readonly HeldCursor[]): void {
  for (const { declaration, move } of cursors) {
    query(session, declaration)
    if (move !== undefined) query(session, move)
  }
}

// Moves a cursor before its first row, and returns the statement that moves it back. When the cursor is on a row, Postgres counts
// one row less than the row's number.
function rewind(session: Session, cursor: string): string | undefined {
  const isOnRow = moved(session, `move relative 0 from ${cursor}`) === 1
  const passed = moved(session, `move backward all from ${cursor}`)
  if (isOnRow) return `move absolute ${passed + 1} from ${cursor}`
  return passed === 0 ? undefined : `move forward all from ${cursor}`
}

function moved(session: Session, text: string): number {
  return Number(/\d+$/.exec(query(session, text)[0]?.commandTag ?? '')?.[0] ?? 0)
}

function readColumns(session: Session, cursor: string, room: number): Columns | undefined {
  const parts: string[][] = []
  for (let characters = 0; ; ) {
    const [fetched] = query(session, `fetch forward ${ROWS_AT_ONCE} from ${cursor}`)
    if (fetched === undefined || fetched.fields.length === 0) return undefined
    const { fields, rows } = fetched
    for (const [index] of fields.entries()) {
      const elements = rows.map((row) => elementOf(cellText(row[index]))).join()
      characters += elements.length
      if (rows.length > 0) parts[index] = [...(parts[index] ?? []), elements]
    }
    if (characters > room) return undefined
    if (rows.length === ROWS_AT_ONCE) continue
    return {
      names: fields.map(({ name }) => name),
      types: fields.map(({ typeOid }) => typeOid),
      values: fields.map((_field, index) => `{${(parts[index] ?? []).join()}}`),
    }
  }
}

function elementOf(text: string | undefined): string {
  return text === undefined ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

function declarationOf(
  session: Session,
  { cursor, isScroll }: { readonly cursor: string; readonly isScroll: boolean },
  { names, types, values }: Columns,
): string {
  const question = types.map((oid) => `pg_catalog.format_type(${oid}, -1)`).join(', ')
  const typeNames = query(session, `select ${question}`)[0]?.rows[0]?.map((cell) => cellText(cell))
  const outputs = names.map(
    (name, index) => `held.c${index}::${typeNames?.[index]} as ${quoteIdentifier(name)}`,
  )
  const arrays = values.map(
    (value) => `pg_catalog.unnest(${literal(value).text}::pg_catalog.text[])`,
  )
  const aliases = values.map((_value, index) => `c${index}`)
  return `declare ${cursor} ${isScroll ? 'scroll' : 'no scroll'} cursor with hold for
    select ${outputs.join(', ')} from rows from (${arrays.join(', ')}) as held (${aliases.join(', ')})`
}

function query(session: Session, text: string): readonly StatementResult[] {
  return parseBackendMessages(session.backend.exchange(new FrontendMessages().query(text).bytes()))
    .results
}
