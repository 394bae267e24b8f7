// Findings that follow from the rows that identities see: tables that are open to everybody, policies that fail, and cells that
// differ from the baseline. Pure.
import type { AuditBaseline, AuditIdentity, AuditTable } from '../../../contract/audit.ts'
import { acceptanceOf } from './acceptance.ts'
import { ANON, type Draft, NEW_USER } from './findings.ts'
import { type CellChange, compareCells } from './picture.ts'

export interface Picture {
  readonly identities: readonly AuditIdentity[]
  readonly tables: readonly (AuditTable & { readonly comment: string | null })[]
}

/**
 * @param explained tables whose openness another finding explains
 * @param baseline an earlier audit; nothing is compared when it is absent
 */
export function seenFindings(
  picture: Picture,
  explained: ReadonlySet<string>,
  baseline: AuditBaseline | undefined,
): readonly Draft[] {
  return [
    ...picture.tables.flatMap((table) => [
      ...openTo(table, picture, explained),
      ...failing(table, picture),
    ]),
    ...(baseline === undefined ? [] : compareCells(baseline, cellsOf(picture)).map(changed)),
  ]
}

function cellsOf({ identities, tables }: Picture) {
  return tables.flatMap(({ cells, name }) =>
    cells.map((cell, index) => ({
      table: name,
      identity: identities[index]?.label ?? '',
      cell,
    })),
  )
}

// A single visible row can be one that is meant for everybody.
const ENOUGH_ROWS = 2

function openTo(
  { cells, comment, kind, name, total }: Picture['tables'][number],
  { identities }: Picture,
  explained: ReadonlySet<string>,
): readonly Draft[] {
  if (explained.has(name) || total === null || total < ENOUGH_ROWS || kind !== 'table') return []
  const label = [ANON, NEW_USER].find(
    (one) => cells[identities.findIndex((identity) => identity.label === one)]?.seen === 'all',
  )
  if (label === undefined) return []
  const who = label === ANON ? 'anon' : 'A user who has just signed up'
  return [
    {
      finding: {
        rule: 'open-to-everybody',
        severity: 'warning',
        object: `table ${name}`,
        cause: `table ${name}`,
        table: name,
        identity: label,
        message: `${who} sees all ${total} rows of ${name}, although no policy has a condition that is always true.`,
        safer: 'Compare a column with auth.uid() or a claim in each SELECT policy.',
        accepted: acceptanceOf('open-to-everybody', [comment]),
      },
      evidence: { kind: 'read', relation: name, identity: label },
    },
  ]
}

function failing(
  { cells, name }: Picture['tables'][number],
  { identities }: Picture,
): readonly Draft[] {
  const index = cells.findIndex(({ seen }) => seen === 'failed')
  const [cell, identity] = [cells[index], identities[index]]
  if (cell === undefined || identity === undefined) return []
  return [
    {
      finding: {
        rule: 'policy-fails',
        severity: 'error',
        object: `table ${name}`,
        cause: cell.reason ?? `table ${name}`,
        table: name,
        identity: identity.label,
        message: `SELECT on ${name} fails for ${identity.label}: ${cell.reason}.`,
        safer: 'Read other tables in a policy through a SECURITY DEFINER function.',
        accepted: null,
      },
      evidence: { kind: 'read', relation: name, identity: identity.label },
    },
  ]
}

function changed({ after, before, identity, kind, newRow, table }: CellChange): Draft {
  const rows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`
  const then = before === undefined ? 'the baseline has no count for it' : `it was ${rows(before)}`
  const others = before === after ? ', but different rows' : ''
  return {
    finding: {
      rule: kind,
      severity: kind === 'sees-more' ? 'error' : 'warning',
      object: `table ${table}`,
      cause: `table ${table}`,
      table,
      identity,
      message: `${identity} sees ${rows(after)} of ${table}; ${then}${others}.`,
      safer: 'If you intended the change, write a new baseline.',
      accepted: null,
    },
    evidence:
      kind === 'sees-more'
        ? { kind: 'read', relation: table, identity, row: newRow }
        : { kind: 'none', reason: 'No example row: the rows are hidden now.' },
  }
}
