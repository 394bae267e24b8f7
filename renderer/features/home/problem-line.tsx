// One problem of the home screen: what happened where, how often and since when. The line links to the screen where the user can
// act.
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Problem } from '../../../emulator/contract/home.ts'
import { useIsClockMoved, useWallTime } from '../../api/platform-clock.ts'
import { parseInstant } from '../../api/time.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Breakable } from '../../ui/breakable.tsx'
import { cx } from '../../ui/cx.ts'
import { exactTime } from '../../ui/format.ts'
import { countWords, seenWords, stateWords, tenantWords } from './problem-words.ts'

export function ProblemLine({ problem }: { readonly problem: Problem }): ReactElement {
  const { cause, code, kind, state, status, where } = problem
  const isGone = state.is === 'gone'
  return (
    <li className="border-t">
      <Link
        {...linkOf(problem)}
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-1.5 hover:bg-surface-2"
      >
        <span className={cx('flex items-center gap-2', isGone && 'text-ink-dim')}>
          {status !== null && status > 0 && <HttpStatus status={status} />}
          <span className="min-w-0 font-mono font-strong break-words">
            <Breakable text={where ?? WITHOUT_ROUTE[kind]} />
          </span>
        </span>
        <span className="text-right font-strong tabular-nums">{countWords(problem)}</span>
        <span className={cx('min-w-0', isGone && 'text-ink-dim')}>{cause}</span>
        <Seen problem={problem} />
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-small text-ink-dim">
          <span>{tenantWords(problem)}</span>
          {code !== null && <code>{code}</code>}
          <span>{stateWords(problem, parseInstant, useIsClockMoved())}</span>
        </span>
      </Link>
    </li>
  )
}

/** The text in place of the route, for a problem without a route. */
const WITHOUT_ROUTE: Readonly<Record<Problem['kind'], string>> = {
  failure: 'several routes',
  refusal: 'several routes',
  slow: 'several routes',
  fault: 'several routes',
  finding: 'functions',
  drift: 'structure',
}

function Seen({ problem }: { readonly problem: Problem }): ReactElement {
  const now = useWallTime()
  const isMoved = useIsClockMoved()
  const first = parseInstant(problem.first_seen) ?? 0
  const last = parseInstant(problem.last_seen) ?? 0
  return (
    <span
      title={`First ${exactTime(first)}, last ${exactTime(last)}`}
      className="text-right text-small whitespace-nowrap text-ink-dim tabular-nums"
    >
      {seenWords(first, last, now, isMoved)}
    </span>
  )
}

function linkOf({ code, kind, see }: Problem): LinkProps {
  switch (see.at) {
    case 'request':
      return {
        to: '/requests/$requestId',
        params: { requestId: see.request_id },
        search:
          kind === 'slow'
            ? { slower: 500, part: 'sql' }
            : { refused: 'only', code: code ?? undefined },
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
