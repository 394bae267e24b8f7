// The problems of the home screen by kind, one line for each cause.
import { ScanEye, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { Home, Problem } from '../../../emulator/contract/home.ts'
import { Button } from '../../ui/button.tsx'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { ProblemLine } from './problem-line.tsx'
import { KIND_WORDS, kindsOf, sumWords, uncheckedWords } from './problem-words.ts'

export function ProblemList({ home }: { readonly home: Home }): ReactElement {
  const { causes, problems } = home
  if (problems.length === 0) return <NoProblems home={home} />
  return (
    <>
      {kindsOf(problems).map(([kind, found]) => (
        <Kind key={kind} kind={kind} problems={found} />
      ))}
      <p className="border-t px-4 py-2 text-small text-ink-dim empty:hidden">
        {[
          ...(causes > problems.length
            ? [`The first ${formatNumber(problems.length)} of ${formatNumber(causes)} causes.`]
            : []),
          ...uncheckedWords(home),
        ].join(' ')}
      </p>
    </>
  )
}

/**
 * Maximum number of causes of a kind that show until the user asks for all. When only one more exists, it also shows, because
 * the button would need the same space.
 */
const SHOWN = 4

const TONES: Readonly<Record<Problem['kind'], Tone>> = {
  failure: 'refused',
  refusal: 'refused',
  slow: 'clock',
  finding: 'clock',
  drift: 'changed',
  fault: 'fault',
}

function Kind(props: {
  readonly kind: Problem['kind']
  readonly problems: readonly Problem[]
}): ReactElement {
  const { kind, problems } = props
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || problems.length === SHOWN + 1 ? problems : problems.slice(0, SHOWN)
  const isPresent = problems.some(({ state }) => state.is !== 'gone')
  const isGrave = problems.some(({ severity }) => severity === 'error')
  return (
    <section aria-label={KIND_WORDS[kind]} className="border-t first:border-t-0">
      <h3 className="flex items-center gap-2 bg-surface-2/60 px-4 py-1.5 text-small text-ink-dim">
        <Chip
          tone={isPresent || kind === 'fault' ? (isGrave ? 'refused' : TONES[kind]) : 'neutral'}
          icon={kind === 'finding' ? <ScanEye /> : undefined}
        >
          {KIND_WORDS[kind]}
        </Chip>
        {sumWords(problems)}
      </h3>
      <ul aria-label={KIND_WORDS[kind]}>
        {shown.map((problem) => (
          <ProblemLine key={problem.key} problem={problem} />
        ))}
      </ul>
      {shown.length < problems.length && (
        <p className="border-t px-2 py-1">
          <Button size="small" tone="quiet" onClick={() => setWhole(true)}>
            Show {countOf(problems.length - shown.length, 'more cause')}
          </Button>
        </p>
      )}
    </section>
  )
}

function NoProblems({ home }: { readonly home: Home }): ReactElement {
  const unchecked = uncheckedWords(home)
  const isKnown = unchecked.length === 0
  const Icon = isKnown ? ShieldCheck : ShieldQuestionMark
  return (
    <div className="flex gap-3 px-4 py-3">
      <Icon className={cx('size-4 shrink-0', isKnown ? 'text-allowed' : 'text-ink-dim')} />
      <div className="flex flex-col gap-1">
        <p>
          {home.requests.total === 0 ? 'No requests yet.' : 'No problems in the recorded requests.'}
        </p>
        {!isKnown && <p className="text-ink-dim">{unchecked.join(' ')}</p>}
        <p className="text-ink-dim">
          Refusals, errors, slow requests, findings of the audit and differences appear here,
          grouped by cause.
        </p>
      </div>
    </div>
  )
}
