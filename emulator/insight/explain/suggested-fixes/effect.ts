// The measured effect of a fix, and the sentence that describes it (contract/suggested-fixes.ts, FixEffect). Pure.
import type { FixChange, FixEffect } from '../../../contract/suggested-fixes.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { ExampleRow } from '../../visibility/visibility.ts'
import type { MeasuredIdentity } from './measured-identities.ts'

export interface EffectChange {
  readonly table: string
  readonly command: RowCommand
  readonly identity: MeasuredIdentity
  /** One text for each row, which identifies it within `table` and `command`. */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** Number of rows that the identity sees before and after, with other values. */
  readonly changed: number
  readonly example: ExampleRow | undefined
  /** Why reading fails after the fix. */
  readonly error: string | undefined
}

export interface MeasuredEffect {
  readonly changes: readonly EffectChange[]
  /** Sentences that say which rows were not compared, and why. */
  readonly notes: readonly string[]
}

type Audience = FixChange['audience']

type Exchange = Pick<EffectChange, 'changed' | 'gained' | 'lost'>

/**
 * Pairs gained and lost rows of a relation without a key, after a fix that changes the values of one row. Such a row counts as lost
 * and gained where its values show, for example in a view. Must not be used for a fix that changes policies, because such a fix can
 * show other rows instead of the former ones.
 */
export function pairExchanged({ gained, lost }: Pick<EffectChange, 'gained' | 'lost'>): Exchange {
  const changed = Math.min(gained.length, lost.length)
  return { changed, gained: gained.slice(changed), lost: lost.slice(changed) }
}

/** The identity that asked, and its statement. */
export interface Asked {
  readonly relation: string
  readonly command: RowCommand
  /** Whether the identity asked for one row, which the fix opens. */
  readonly isOfRow: boolean
  readonly identities: readonly MeasuredIdentity[]
}

export function toFixEffect({ changes, notes }: MeasuredEffect, asked: Asked): FixEffect {
  const isKnown = notes.length === 0
  return {
    opens_to: changes.length === 0 && !isKnown ? 'unknown' : widestOf(changes),
    cells: isKnown ? cellsOf(changes) : null,
    sentence: sentenceOf(changes, asked),
    changes: changes.map(({ changed, command, example, gained, identity, lost, table }) => ({
      table,
      command,
      identity: identity.label,
      audience: identity.audience,
      gained: gained.length,
      lost: lost.length,
      changed,
      example: example === undefined ? null : { ...example },
    })),
    identities: asked.identities.length,
    notes: [...notes],
  }
}

/** Number of pairs of a row and an identity that the change opens. */
export function cellsOf(changes: readonly EffectChange[]): number {
  return changes.reduce((sum, { gained }) => sum + gained.length, 0)
}

/** The gained rows of an audience. Rows that anon gains are open to everybody. */
export function gainsOf(
  changes: readonly EffectChange[],
  audience: Audience,
): readonly EffectChange[] {
  return changes.filter(
    ({ gained, identity }) => identity.audience === audience && gained.length > 0,
  )
}

export function opensToAnon(changes: readonly EffectChange[]): boolean {
  return changes.some(({ gained, identity }) => gained.length > 0 && identity.role === 'anon')
}

function widestOf(changes: readonly EffectChange[]): FixEffect['opens_to'] {
  if (opensToAnon(changes)) return 'anon'
  if (gainsOf(changes, 'signed_in').length > 0) return 'signed_in'
  if (gainsOf(changes, 'user').length > 0) return 'users'
  return gainsOf(changes, 'asker').length > 0 ? 'asker' : 'none'
}

const VERBS = { select: 'see', insert: 'insert', update: 'change', delete: 'delete' } as const

function sentenceOf(changes: readonly EffectChange[], asked: Asked): string {
  const asker = askerSentences(gainsOf(changes, 'asker'), asked)
  const others = [
    userGains(changes),
    gainsOf(changes, 'signed_in'),
    gainsOf(changes, 'anon'),
  ].flatMap((gains) => gainSentences(gains, asker.length > 0, asked))
  const hidden = [...lossSentence(changes), ...exchangeSentence(changes)]
  const sentences = [...asker, ...others, ...hidden]
  if (sentences.length === 0) return 'No compared identity gains access.'
  if (others.length > 0 || asker.length === 0) return sentences.join(' ')
  return [...asker, 'No other compared identity gains access.', ...hidden].join(' ')
}

/** Rows that single users gain in addition to those that every signed-in user gains. */
function userGains(changes: readonly EffectChange[]): readonly EffectChange[] {
  const idOf = ({ command, table }: EffectChange, row: string): string =>
    `${command} ${table} ${row}`
  const open = new Set(
    gainsOf(changes, 'signed_in').flatMap((one) => one.gained.map((row) => idOf(one, row))),
  )
  return gainsOf(changes, 'user').flatMap((one) => {
    const gained = one.gained.filter((row) => !open.has(idOf(one, row)))
    return gained.length === 0 ? [] : [{ ...one, gained }]
  })
}

function askerSentences(gains: readonly EffectChange[], asked: Asked): readonly string[] {
  return byCommand(gains).map(([command, some]) => {
    const isAsked = (one: EffectChange): boolean =>
      asked.isOfRow && command === asked.command && one.table === asked.relation
    const own = some.find(isAsked)
    const counts = some.map((one) => ({ ...one, rows: one.gained.length - (one === own ? 1 : 0) }))
    const rest = counts
      .filter(({ rows }) => rows > 0)
      .toSorted(
        (one, other) => Number(other.table === own?.table) - Number(one.table === own?.table),
      )
      .map(({ rows, table }) => otherRows(rows, table, own?.table))
    const rows = listOf([...(own === undefined ? [] : ['this row']), ...rest])
    return gainText(command, rows, whoOf(some.map(({ identity }) => identity)))
  })
}

function gainSentences(
  gains: readonly EffectChange[],
  isFurther: boolean,
  { relation }: Asked,
): readonly string[] {
  return byCommand(gains).map(([command, some]) => {
    const tables = [...new Set(some.map(({ table }) => table))].toSorted(
      (one, other) => Number(other === relation) - Number(one === relation),
    )
    const isPlain = tables.length === 1 && tables[0] === relation
    const rows = tables.map((table) => {
      const all = some.filter((one) => one.table === table).flatMap(({ gained }) => gained)
      return rowsText(new Set(all).size, isPlain ? undefined : table)
    })
    const text = gainText(command, listOf(rows), whoOf(some.map(({ identity }) => identity)))
    return isFurther ? `Also ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text
  })
}

function lossSentence(changes: readonly EffectChange[]): readonly string[] {
  const losses = changes.filter(({ lost }) => lost.length > 0)
  return byCommand(losses).map(([command, some]) => {
    const count = new Set(some.flatMap(({ lost, table }) => lost.map((row) => `${table} ${row}`)))
      .size
    const who = whoOf(some.map(({ identity }) => identity))
    const rows = rowsText(count)
    return command === 'select'
      ? `Hides ${rows} from ${who}.`
      : `No longer lets ${who} ${VERBS[command]} ${rows}.`
  })
}

function exchangeSentence(changes: readonly EffectChange[]): readonly string[] {
  const some = changes.filter(({ changed }) => changed > 0)
  if (some.length === 0) return []
  const tables = [...new Set(some.map(({ table }) => table))].toSorted()
  const identities = some.map(({ identity }) => identity)
  const verb = identities.every(({ audience }) => audience === 'asker') ? 'sees' : 'see'
  return [`Changes what ${whoOf(identities)} ${verb} in ${listOf(tables)}.`]
}

function gainText(command: RowCommand, rows: string, who: string): string {
  return `Lets ${who} ${VERBS[command]} ${rows}.`
}

function byCommand(
  changes: readonly EffectChange[],
): readonly (readonly [RowCommand, readonly EffectChange[]])[] {
  return [...new Set(changes.map(({ command }) => command))].map((command) => [
    command,
    changes.filter((one) => one.command === command),
  ])
}

function whoOf(identities: readonly MeasuredIdentity[]): string {
  const all = [...new Set(identities)]
  const users = all.filter(({ audience }) => audience === 'user')
  return listOf([
    ...all.flatMap(({ audience, label, role }) =>
      audience === 'asker' ? [role === 'anon' ? ANON : label] : [],
    ),
    ...(users.length === 0
      ? []
      : [`${users.length} other ${users.length === 1 ? 'user' : 'users'}`]),
    ...(all.some(({ audience }) => audience === 'signed_in') ? ['everybody who signs in'] : []),
    ...(all.some(({ audience }) => audience === 'anon') ? [ANON] : []),
  ])
}

const ANON = 'anon (everybody with the public key)'

function otherRows(count: number, table: string, ownTable: string | undefined): string {
  if (table !== ownTable) return rowsText(count, table)
  return `${count.toLocaleString('en')} other ${count === 1 ? 'row' : 'rows'}`
}

function rowsText(count: number, table?: string): string {
  const rows = `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`
  return table === undefined ? rows : `${rows} of ${table}`
}

function listOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
