// Converts the explanation of a table's rows to the last links of a chain: grant, policy, row.
import type { Explanation } from '../../../contract/explain.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { broken, type Finding, type Findings, holds, notNeeded } from './recorded-request.ts'
import type { RestTarget } from './rest-target.ts'

/**
 * Returns the link that broke before any row was read, or else the verdicts on the rows.
 * @param isPast the explanation is about the state just before the request, not about the present one
 */
export function explainedFindings(
  request: RecordedRequest,
  target: RestTarget,
  explanation: Explanation,
  isPast: boolean,
): Findings {
  const { table, policies } = explanation
  const grant = holds(
    'granted',
    `${explanation.identity.role} has ${explanation.command} on ${target.relation}.`,
    {
      grants: table.grants.join(', '),
    },
  )
  switch (table.verdict) {
    case 'missing_grant':
      return {
        grant: broken(`no ${explanation.command} for ${explanation.identity.role}`, table.sentence),
      }
    case 'closed_table':
      return { grant: broken('a closed table', table.sentence) }
    case 'unknown_relation':
      return { request: broken('no such table', table.sentence) }
    case 'no_policy':
      return { grant, policy: broken('no policy', table.sentence) }
    case 'error':
      return { grant, policy: broken('cannot be evaluated', table.sentence) }
    case 'bypasses_policies':
    case 'rls_off':
      return {
        grant,
        policy: notNeeded('policies do not apply', table.sentence),
        row: rowFinding(request, target, explanation, isPast),
      }
    case 'policies_decide':
    case 'view': {
      const asked = policies.filter(({ applies }) => applies).map(({ name }) => name)
      return {
        grant,
        policy: holds(asked.join(', ') || 'policies decide', table.sentence),
        row: rowFinding(request, target, explanation, isPast),
      }
    }
  }
}

function rowFinding(
  request: RecordedRequest,
  target: RestTarget,
  explanation: Explanation,
  isPast: boolean,
): Finding {
  const { total, rows, identity } = explanation
  const allowed = explanation.allowed_total ?? rows.filter((row) => row.allowed).length
  const verb = VERBS[explanation.command]
  const meant = target.filters.length === 0 ? 'exist' : 'match the filter'
  const which = target.isWider ? ' (some filters of the request were ignored here)' : ''
  const facts = { rows: String(total), allowed: String(allowed), ...reasonsOf(explanation) }
  const [hidden] = rows.filter((row) => !row.allowed)
  if (
    explanation.command === 'insert' ||
    (total > 0 && allowed < total && hidden !== undefined && allowed === 0)
  )
    return hidden === undefined
      ? holds(
          'the row passes',
          isPast ? PASSED_THEN : 'The row passes every current policy.',
          facts,
        )
      : broken(hidden.reason, hiddenSentence({ ...explanation, hidden, meant, which, verb }), facts)
  if (total === 0)
    return broken(
      'no such row',
      target.filters.length === 0 && !target.isWider
        ? `The table ${target.relation} has no rows. Policies are not the reason.`
        : `No row of ${target.relation} matches the filter${which}. Policies are not the reason.`,
      facts,
    )
  const count = `${isPast ? 'Just before the request, ' : ''}${allowed} of ${total} rows that ${meant} ${verbOf(allowed, isPast)} ${verb} ${identity.label}${isPast ? '' : ' now'}`
  if (allowed !== 1 && request.entry.error_code === 'PGRST116')
    return broken(
      rowsText(allowed),
      `The request asked for one object, and ${count}${which}.`,
      facts,
    )
  return holds(
    `${allowed} of ${total}`,
    `${count}${which}. ${isPast ? 'A change during the request' : 'A later change'}, or limit and offset of the request, explains the answer.`,
    facts,
  )
}

const PASSED_THEN = 'The row passes every policy of that time.'

function verbOf(count: number, isPast: boolean): string {
  return count === 1 ? (isPast ? 'was' : 'is') : isPast ? 'were' : 'are'
}

const VERBS: Readonly<Record<Explanation['command'], string>> = {
  select: 'visible to',
  insert: 'insertable by',
  update: 'changeable by',
  delete: 'deletable by',
}

function hiddenSentence({
  total,
  identity,
  command,
  hidden,
  meant,
  which,
  verb,
}: Explanation & {
  readonly hidden: Explanation['rows'][number]
  readonly meant: string
  readonly which: string
  readonly verb: string
}): string {
  if (command === 'insert')
    return `The new row is refused for ${identity.label}: ${hidden.sentence}`
  const rows = rowsText(total)
  const exist = total === 1 ? meant.replace('exist', 'exists').replace('match', 'matches') : meant
  return `${rows} ${exist}${which}, none ${verb} ${identity.label}: ${hidden.sentence}`
}

const SHOWN_REASONS = 5

function reasonsOf({ rows }: Explanation): Readonly<Record<string, string>> {
  const counts = new Map<string, number>()
  for (const { allowed, reason } of rows)
    if (!allowed) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, SHOWN_REASONS)
  return Object.fromEntries(most.map(([reason, count]) => [reason, rowsText(count)]))
}

function rowsText(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}
