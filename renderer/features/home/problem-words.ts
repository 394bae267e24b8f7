// All texts of the problems on the home screen. Pure.
import type { Home, Problem } from '../../../emulator/contract/home.ts'
import { countOf } from '../../ui/form-values.ts'
import { exactTime, formatNumber, relativeTime } from '../../ui/format.ts'

export const KIND_WORDS: Readonly<Record<Problem['kind'], string>> = {
  failure: 'internal error',
  refusal: 'refused',
  slow: 'slow',
  finding: 'audit',
  drift: 'differs',
  fault: 'injected',
}

/** `400 times`, `3 findings`, `2 tenants`. */
export function countWords({ count, kind }: Pick<Problem, 'count' | 'kind'>): string {
  if (kind === 'finding') return countOf(count, 'finding')
  if (kind === 'drift') return countOf(count, 'tenant')
  return count === 1 ? 'once' : `${formatNumber(count)} times`
}

/**
 * Returns `first 2 h ago, last 12 s ago`, or only the last time when both times have the same text. The journal of problems uses
 * the machine's time.
 * @param isClockMoved whether the platform's clock differs from the machine's time
 */
export function seenWords(first: number, last: number, now: number, isClockMoved = false): string {
  const [earlier, later] = [relativeTime(first, now), relativeTime(last, now)]
  const seen = earlier === later ? later : `first ${earlier}, last ${later}`
  return isClockMoved ? `${seen}, in machine time` : seen
}

const CHANGES: Readonly<Record<NonNullable<Problem['state']['change']>, string>> = {
  start: 'the emulator started',
  structure: 'the structure changed',
  keys: 'the keys were replaced',
  restored: 'a state was restored',
  disarmed: 'the fault was disarmed',
}

/**
 * Says what happened since the last change after which the problem may be solved.
 * @param isClockMoved whether the platform's clock differs from the machine's time
 */
export function stateWords(
  { kind, state, where }: Pick<Problem, 'kind' | 'state' | 'where'>,
  parse: (text: string) => number | undefined,
  isClockMoved = false,
): string {
  const time = isClockMoved ? ', in machine time' : ''
  const { change, changed_at: changedAt, is, succeeded_at: succeededAt } = state
  if (kind === 'fault') return is === 'happening' ? 'The fault is armed' : 'The fault is not armed'
  const changed = change === null ? undefined : `${CHANGES[change]}${atWords(changedAt, parse)}`
  if (kind === 'finding')
    return changed === undefined || is === 'happening'
      ? 'Still present'
      : `Not audited since ${changed}${time}`
  if (kind === 'drift') return 'Still present'
  if (is === 'happening') return 'Seen in the last 5 minutes'
  if (is === 'quiet' || changed === undefined) return 'Not seen in the last 5 minutes'
  const isOneRoute = where !== null
  const after =
    succeededAt === null
      ? `, but nothing called ${isOneRoute ? 'this route' : 'these routes'} since`
      : `, and ${isOneRoute ? '' : 'one of the routes '}succeeded${atWords(succeededAt, parse)}`
  return `Not seen since ${changed}${after}${time}`
}

function atWords(at: string | null, parse: (text: string) => number | undefined): string {
  const millis = at === null ? undefined : parse(at)
  return millis === undefined ? '' : ` at ${exactTime(millis).slice(11, 19)}`
}

/** `aurora`, `aurora (claimed)`, `aurora, boavista and 3 more`. */
export function tenantWords({
  is_tenant_claimed: isClaimed,
  tenants,
}: Pick<Problem, 'is_tenant_claimed' | 'tenants'>): string {
  const shown = tenants.slice(0, 2).join(', ')
  const more = tenants.length - 2
  if (shown === '') return 'no tenant'
  return `${shown}${more > 0 ? ` and ${more} more` : ''}${isClaimed ? ' (claimed)' : ''}`
}

/** Groups the problems by kind. Refusals and exposures come before slow requests, and injected faults come last. */
export function kindsOf<Kept extends Pick<Problem, 'kind'>>(
  problems: readonly Kept[],
): readonly (readonly [Problem['kind'], readonly Kept[]])[] {
  const byKind = Map.groupBy(problems, ({ kind }) => kind)
  return KINDS.flatMap((kind) => {
    const found = byKind.get(kind)
    return found === undefined ? [] : [[kind, found] as const]
  })
}

const KINDS = [
  'failure',
  'refusal',
  'finding',
  'drift',
  'slow',
  'fault',
] as const satisfies readonly Problem['kind'][]

/** Returns the numbers of requests and causes of one kind, such as `1,006 requests, 3 causes`. */
export function sumWords(problems: readonly Pick<Problem, 'count' | 'kind'>[]): string {
  const sum = problems.reduce((total, { count }) => total + count, 0)
  const [first] = problems
  if (first?.kind === 'drift') return countOf(sum, 'tenant')
  const what = first?.kind === 'finding' ? 'finding' : 'request'
  return `${countOf(sum, what)}, ${countOf(problems.length, what === 'finding' ? 'rule' : 'cause')}`
}

/** Says what was not checked, so that an empty list of problems does not seem to be a proof. */
export function uncheckedWords({
  checks,
  is_whole: isWhole,
}: Pick<Home, 'checks' | 'is_whole'>): readonly string[] {
  const { audited, compared, tenants } = checks
  return [
    ...(isWhole ? [] : ['The journal has more different refusals than one answer can hold.']),
    ...(audited < tenants ? [`Access: ${ofWords(audited, tenants)} audited.`] : []),
    ...(compared < tenants ? [`Structure: ${ofWords(compared, tenants)} compared.`] : []),
  ]
}

function ofWords(part: number, all: number): string {
  return `${formatNumber(part)} of ${countOf(all, 'tenant')}`
}

/** `5,114 requests, 1,438 refused, 2 of them by injected faults, faults applied to 1 other`. */
export function totalWords(requests: Omit<Home['requests'], 'since'>): string {
  const { injected, refused, refused_by_fault: byFault, total } = requests
  const others = injected - byFault
  const words = `${countOf(total, 'request')}, ${formatNumber(refused)} refused${byFaultWords(byFault)}`
  if (others === 0) return words
  const to = byFault === 0 ? formatNumber(others) : countOf(others, 'other')
  return `${words}, faults applied to ${to}`
}

/** `1,438 of 5,114 requests refused, 2 of them by injected faults`. */
export function refusedWords(requests: Omit<Home['requests'], 'injected' | 'since'>): string {
  const { refused, refused_by_fault: byFault, total } = requests
  return `${formatNumber(refused)} of ${countOf(total, 'request')} refused${byFaultWords(byFault)}`
}

// The problems list these requests as injected, so that the numbers of its groups add up to the refused requests.
function byFaultWords(count: number): string {
  if (count === 0) return ''
  return `, ${formatNumber(count)} of them by ${count === 1 ? 'an injected fault' : 'injected faults'}`
}
