// The problems of the home screen, one line for each cause. Each line leads to where the user can act.
import { Link, type LinkProps } from '@tanstack/react-router'
import { ScanEye, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Home, Problem } from '../../../emulator/contract/home.ts'
import { parseInstant, wallNow } from '../../api/time.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { exactTime, formatNumber } from '../../ui/format.ts'
import {
  countWords,
  KIND_WORDS,
  seenWords,
  slowWords,
  stateWords,
  tenantWords,
  uncheckedWords,
} from './problem-words.ts'

export function ProblemList({ home }: { readonly home: Home }): ReactElement {
  const { causes, problems } = home
  if (problems.length === 0) return <NoProblems home={home} />
  return (
    <>
      <ul aria-label="Problems">
        {problems.map((problem) => (
          <ProblemLine key={problem.key} problem={problem} />
        ))}
      </ul>
      <p className="px-4 py-2 text-small text-ink-dim">
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

const TONES: Readonly<Record<Problem['kind'], Tone>> = {
  failure: 'refused',
  refusal: 'refused',
  slow: 'clock',
  finding: 'clock',
  drift: 'changed',
  fault: 'fault',
}

function toneOf({ kind, severity }: Problem): Tone {
  return severity === 'error' ? 'refused' : TONES[kind]
}

function ProblemLine({ problem }: { readonly problem: Problem }): ReactElement {
  const { cause, code, kind, state, status, where } = problem
  const isGone = state.is === 'gone'
  return (
    <li className="border-b last:border-b-0">
      <Link
        {...linkOf(problem)}
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-4 py-2 hover:bg-surface-2"
      >
        <span
          className={cx('flex min-w-0 flex-wrap items-center gap-x-2', isGone && 'text-ink-dim')}
        >
          <Chip
            tone={isGone && kind !== 'fault' ? 'neutral' : toneOf(problem)}
            icon={kind === 'finding' ? <ScanEye /> : undefined}
          >
            {KIND_WORDS[kind]}
          </Chip>
          {status !== null && status > 0 && <HttpStatus status={status} />}
          {where !== null && <span className="truncate font-mono">{where}</span>}
        </span>
        <span className="text-right font-strong tabular-nums">{countWords(problem)}</span>
        <span className={cx('min-w-0', isGone && 'text-ink-dim')}>{cause}</span>
        <Seen problem={problem} />
        <span className="col-span-2 flex min-w-0 flex-wrap gap-x-3 text-small text-ink-dim">
          <span className={cx(state.is === 'happening' && kind !== 'fault' && 'text-ink')}>
            {stateWords(problem, parseInstant)}
          </span>
          <span>{tenantWords(problem)}</span>
          {code !== null && <code>{code}</code>}
          {kind === 'slow' && <span>{slowWords(problem)}</span>}
        </span>
      </Link>
    </li>
  )
}

function Seen({ problem }: { readonly problem: Problem }): ReactElement {
  const first = parseInstant(problem.first_seen) ?? 0
  const last = parseInstant(problem.last_seen) ?? 0
  return (
    <span
      title={`First ${exactTime(first)}, last ${exactTime(last)}`}
      className="text-right text-small whitespace-nowrap text-ink-dim tabular-nums"
    >
      {seenWords(first, last, wallNow())}
    </span>
  )
}

function linkOf({ kind, see }: Problem): LinkProps {
  switch (see.at) {
    case 'request':
      return {
        to: '/requests/$requestId',
        params: { requestId: see.request_id },
        search: kind === 'slow' ? { slower: 500, part: 'sql' } : { refused: 'only' },
      }
    case 'fault':
      return { to: '/faults', search: { view: 'history', open: see.fault } }
    case 'audit':
      return {
        to: '/t/$tenant/audit',
        params: { tenant: see.tenant },
        search: { view: 'findings' },
      }
    case 'fleet':
      return { to: '/fleet', search: { group: see.group, tenant: see.tenant } }
  }
}
